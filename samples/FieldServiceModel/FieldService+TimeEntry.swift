// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.TimeEntry`.
    public struct TimeEntry: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.TimeEntry"

        /// The property `ID`.
        public var id: UUID

        /// The property `WorkOrderID`.
        public var workOrderID: Int32

        /// The property `TechnicianID`.
        public var technicianID: UUID

        /// The property `Activity`.
        public var activity: FieldService.Activity

        /// The property `StartedAt`.
        public var startedAt: Date

        /// The property `Duration`.
        public var duration: Duration

        /// The property `Distance`.
        public var distance: Float?

        /// The property `Rate`.
        public var rate: Decimal?

        /// The property `IsApproved`.
        public var isApproved: Bool?

        /// The property `Comment`.
        public var comment: String?

        /// The relation `WorkOrder`; nil where it is not expanded.
        public var workOrder: ODataRelated<FieldService.WorkOrder>?

        /// The relation `Technician`; nil where it is not expanded.
        public var technician: ODataRelated<FieldService.Technician>?

        /// Creates a value.
        public init(
            id: UUID,
            workOrderID: Int32,
            technicianID: UUID,
            activity: FieldService.Activity,
            startedAt: Date,
            duration: Duration,
            distance: Float? = nil,
            rate: Decimal? = nil,
            isApproved: Bool? = nil,
            comment: String? = nil,
            workOrder: ODataRelated<FieldService.WorkOrder>? = nil,
            technician: ODataRelated<FieldService.Technician>? = nil
        ) {
            self.id = id
            self.workOrderID = workOrderID
            self.technicianID = technicianID
            self.activity = activity
            self.startedAt = startedAt
            self.duration = duration
            self.distance = distance
            self.rate = rate
            self.isApproved = isApproved
            self.comment = comment
            self.workOrder = workOrder
            self.technician = technician
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case workOrderID = "WorkOrderID"
            case technicianID = "TechnicianID"
            case activity = "Activity"
            case startedAt = "StartedAt"
            case duration = "Duration"
            case distance = "Distance"
            case rate = "Rate"
            case isApproved = "IsApproved"
            case comment = "Comment"
            case workOrder = "WorkOrder"
            case technician = "Technician"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `ID`.
            public var id: ODataField<UUID> {
                ODataField(odataPlace, "ID")
            }

            /// The place of `WorkOrderID`.
            public var workOrderID: ODataField<Int32> {
                ODataField(odataPlace, "WorkOrderID")
            }

            /// The place of `TechnicianID`.
            public var technicianID: ODataField<UUID> {
                ODataField(odataPlace, "TechnicianID")
            }

            /// The place of `Activity`.
            public var activity: ODataField<FieldService.Activity> {
                ODataField(odataPlace, "Activity")
            }

            /// The place of `StartedAt`.
            public var startedAt: ODataField<Date> {
                ODataField(odataPlace, "StartedAt")
            }

            /// The place of `Duration`.
            public var duration: ODataField<Duration> {
                ODataField(odataPlace, "Duration")
            }

            /// The place of `Distance`.
            public var distance: ODataField<Float?> {
                ODataField(odataPlace, "Distance")
            }

            /// The place of `Rate`.
            public var rate: ODataField<Decimal?> {
                ODataField(odataPlace, "Rate")
            }

            /// The place of `IsApproved`.
            public var isApproved: ODataField<Bool?> {
                ODataField(odataPlace, "IsApproved")
            }

            /// The place of `Comment`.
            public var comment: ODataField<String?> {
                ODataField(odataPlace, "Comment")
            }

            /// The place of `WorkOrder`.
            public var workOrder: ODataRelation<FieldService.WorkOrder> {
                ODataRelation(odataPlace, "WorkOrder")
            }

            /// The place of `Technician`.
            public var technician: ODataRelation<FieldService.Technician> {
                ODataRelation(odataPlace, "Technician")
            }
        }
    }
}
