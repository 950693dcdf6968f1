// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Attachment`.
    public struct Attachment: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Attachment"

        /// The property `ID`.
        public var id: UUID

        /// The property `WorkOrderID`.
        public var workOrderID: Int32?

        /// The property `FileName`.
        public var fileName: String?

        /// The property `Description`.
        public var description: String?

        /// The property `TakenAt`.
        public var takenAt: Date?

        /// The property `Location`.
        public var location: FieldService.GeoLocation?

        /// The relation `WorkOrder`; nil where it is not expanded.
        public var workOrder: ODataRelated<FieldService.WorkOrder>?

        /// Creates a value.
        public init(
            id: UUID,
            workOrderID: Int32? = nil,
            fileName: String? = nil,
            description: String? = nil,
            takenAt: Date? = nil,
            location: FieldService.GeoLocation? = nil,
            workOrder: ODataRelated<FieldService.WorkOrder>? = nil
        ) {
            self.id = id
            self.workOrderID = workOrderID
            self.fileName = fileName
            self.description = description
            self.takenAt = takenAt
            self.location = location
            self.workOrder = workOrder
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case workOrderID = "WorkOrderID"
            case fileName = "FileName"
            case description = "Description"
            case takenAt = "TakenAt"
            case location = "Location"
            case workOrder = "WorkOrder"
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
            public var workOrderID: ODataField<Int32?> {
                ODataField(odataPlace, "WorkOrderID")
            }

            /// The place of `FileName`.
            public var fileName: ODataField<String?> {
                ODataField(odataPlace, "FileName")
            }

            /// The place of `Description`.
            public var description: ODataField<String?> {
                ODataField(odataPlace, "Description")
            }

            /// The place of `TakenAt`.
            public var takenAt: ODataField<Date?> {
                ODataField(odataPlace, "TakenAt")
            }

            /// The place of `Location`.
            public var location: ODataRelation<FieldService.GeoLocation> {
                ODataRelation(odataPlace, "Location")
            }

            /// The place of `WorkOrder`.
            public var workOrder: ODataRelation<FieldService.WorkOrder> {
                ODataRelation(odataPlace, "WorkOrder")
            }
        }
    }
}
