// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Task`.
    public struct Task: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Task"

        /// The property `ID`.
        public var id: Int32?

        /// The property `WorkOrderID`.
        public var workOrderID: Int32

        /// The property `Position`.
        public var position: Int16

        /// The property `Title`.
        public var title: String

        /// The property `Notes`.
        public var notes: String?

        /// The property `IsDone`.
        public var isDone: Bool

        /// The property `DoneAt`.
        public var doneAt: Date?

        /// The property `Effort`.
        public var effort: Duration?

        /// The relation `WorkOrder`; nil where it is not expanded.
        public var workOrder: ODataRelated<FieldService.WorkOrder>?

        /// Creates a value.
        public init(
            id: Int32? = nil,
            workOrderID: Int32,
            position: Int16,
            title: String,
            notes: String? = nil,
            isDone: Bool,
            doneAt: Date? = nil,
            effort: Duration? = nil,
            workOrder: ODataRelated<FieldService.WorkOrder>? = nil
        ) {
            self.id = id
            self.workOrderID = workOrderID
            self.position = position
            self.title = title
            self.notes = notes
            self.isDone = isDone
            self.doneAt = doneAt
            self.effort = effort
            self.workOrder = workOrder
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case workOrderID = "WorkOrderID"
            case position = "Position"
            case title = "Title"
            case notes = "Notes"
            case isDone = "IsDone"
            case doneAt = "DoneAt"
            case effort = "Effort"
            case workOrder = "WorkOrder"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `ID`.
            public var id: ODataField<Int32?> {
                ODataField(odataPlace, "ID")
            }

            /// The place of `WorkOrderID`.
            public var workOrderID: ODataField<Int32> {
                ODataField(odataPlace, "WorkOrderID")
            }

            /// The place of `Position`.
            public var position: ODataField<Int16> {
                ODataField(odataPlace, "Position")
            }

            /// The place of `Title`.
            public var title: ODataField<String> {
                ODataField(odataPlace, "Title")
            }

            /// The place of `Notes`.
            public var notes: ODataField<String?> {
                ODataField(odataPlace, "Notes")
            }

            /// The place of `IsDone`.
            public var isDone: ODataField<Bool> {
                ODataField(odataPlace, "IsDone")
            }

            /// The place of `DoneAt`.
            public var doneAt: ODataField<Date?> {
                ODataField(odataPlace, "DoneAt")
            }

            /// The place of `Effort`.
            public var effort: ODataField<Duration?> {
                ODataField(odataPlace, "Effort")
            }

            /// The place of `WorkOrder`.
            public var workOrder: ODataRelation<FieldService.WorkOrder> {
                ODataRelation(odataPlace, "WorkOrder")
            }
        }
    }
}
