// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Depot`.
    public struct Depot: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Depot"

        /// The property `Code`.
        public var code: String

        /// The property `Name`.
        public var name: String

        /// The property `Phone`.
        public var phone: String?

        /// The property `Address`.
        public var address: FieldService.Address

        /// The property `OpensAt`.
        public var opensAt: String?

        /// The property `ManagerID`.
        public var managerID: UUID?

        /// The relation `Manager`; nil where it is not expanded.
        public var manager: ODataRelated<FieldService.Technician>?

        /// The key.
        public var id: String { code }

        /// Creates a value.
        public init(
            code: String,
            name: String,
            phone: String? = nil,
            address: FieldService.Address,
            opensAt: String? = nil,
            managerID: UUID? = nil,
            manager: ODataRelated<FieldService.Technician>? = nil
        ) {
            self.code = code
            self.name = name
            self.phone = phone
            self.address = address
            self.opensAt = opensAt
            self.managerID = managerID
            self.manager = manager
        }

        private enum CodingKeys: String, CodingKey {
            case code = "Code"
            case name = "Name"
            case phone = "Phone"
            case address = "Address"
            case opensAt = "OpensAt"
            case managerID = "ManagerID"
            case manager = "Manager"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `Code`.
            public var code: ODataField<String> {
                ODataField(odataPlace, "Code")
            }

            /// The place of `Name`.
            public var name: ODataField<String> {
                ODataField(odataPlace, "Name")
            }

            /// The place of `Phone`.
            public var phone: ODataField<String?> {
                ODataField(odataPlace, "Phone")
            }

            /// The place of `Address`.
            public var address: ODataRelation<FieldService.Address> {
                ODataRelation(odataPlace, "Address")
            }

            /// The place of `OpensAt`.
            public var opensAt: ODataField<String?> {
                ODataField(odataPlace, "OpensAt", as: .timeOfDay)
            }

            /// The place of `ManagerID`.
            public var managerID: ODataField<UUID?> {
                ODataField(odataPlace, "ManagerID")
            }

            /// The place of `Manager`.
            public var manager: ODataRelation<FieldService.Technician> {
                ODataRelation(odataPlace, "Manager")
            }
        }
    }
}
