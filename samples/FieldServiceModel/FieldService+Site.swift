// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Site`.
    public struct Site: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Site"

        /// The property `ID`.
        public var id: Int32

        /// The property `CustomerID`.
        public var customerID: String

        /// The property `Name`.
        public var name: String

        /// The property `Address`.
        public var address: FieldService.Address

        /// The property `FloorArea`.
        public var floorArea: Double?

        /// The property `OpensAt`.
        public var opensAt: String?

        /// The property `ClosesAt`.
        public var closesAt: String?

        /// The property `TravelTime`.
        public var travelTime: Duration?

        /// The relation `Customer`; nil where it is not expanded.
        public var customer: ODataRelated<FieldService.Customer>?

        /// The relation `WorkOrders`; nil where it is not expanded.
        public var workOrders: [FieldService.WorkOrder]?

        /// Creates a value.
        public init(
            id: Int32,
            customerID: String,
            name: String,
            address: FieldService.Address,
            floorArea: Double? = nil,
            opensAt: String? = nil,
            closesAt: String? = nil,
            travelTime: Duration? = nil,
            customer: ODataRelated<FieldService.Customer>? = nil,
            workOrders: [FieldService.WorkOrder]? = nil
        ) {
            self.id = id
            self.customerID = customerID
            self.name = name
            self.address = address
            self.floorArea = floorArea
            self.opensAt = opensAt
            self.closesAt = closesAt
            self.travelTime = travelTime
            self.customer = customer
            self.workOrders = workOrders
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case customerID = "CustomerID"
            case name = "Name"
            case address = "Address"
            case floorArea = "FloorArea"
            case opensAt = "OpensAt"
            case closesAt = "ClosesAt"
            case travelTime = "TravelTime"
            case customer = "Customer"
            case workOrders = "WorkOrders"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `ID`.
            public var id: ODataField<Int32> {
                ODataField(odataPlace, "ID")
            }

            /// The place of `CustomerID`.
            public var customerID: ODataField<String> {
                ODataField(odataPlace, "CustomerID")
            }

            /// The place of `Name`.
            public var name: ODataField<String> {
                ODataField(odataPlace, "Name")
            }

            /// The place of `Address`.
            public var address: ODataRelation<FieldService.Address> {
                ODataRelation(odataPlace, "Address")
            }

            /// The place of `FloorArea`.
            public var floorArea: ODataField<Double?> {
                ODataField(odataPlace, "FloorArea")
            }

            /// The place of `OpensAt`.
            public var opensAt: ODataField<String?> {
                ODataField(odataPlace, "OpensAt", as: .timeOfDay)
            }

            /// The place of `ClosesAt`.
            public var closesAt: ODataField<String?> {
                ODataField(odataPlace, "ClosesAt", as: .timeOfDay)
            }

            /// The place of `TravelTime`.
            public var travelTime: ODataField<Duration?> {
                ODataField(odataPlace, "TravelTime")
            }

            /// The place of `Customer`.
            public var customer: ODataRelation<FieldService.Customer> {
                ODataRelation(odataPlace, "Customer")
            }

            /// The place of `WorkOrders`.
            public var workOrders: ODataRelations<FieldService.WorkOrder> {
                ODataRelations(odataPlace, "WorkOrders")
            }
        }
    }
}
