// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Contact`.
    public struct Contact: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Contact"

        /// The property `ID`.
        public var id: Int32

        /// The property `Name`.
        public var name: String

        /// The property `Role`.
        public var role: String?

        /// The property `Email`.
        public var email: String?

        /// The property `Phone`.
        public var phone: String?

        /// The property `IsPrimary`.
        public var isPrimary: Bool

        /// Creates a value.
        public init(
            id: Int32,
            name: String,
            role: String? = nil,
            email: String? = nil,
            phone: String? = nil,
            isPrimary: Bool
        ) {
            self.id = id
            self.name = name
            self.role = role
            self.email = email
            self.phone = phone
            self.isPrimary = isPrimary
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case name = "Name"
            case role = "Role"
            case email = "Email"
            case phone = "Phone"
            case isPrimary = "IsPrimary"
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

            /// The place of `Name`.
            public var name: ODataField<String> {
                ODataField(odataPlace, "Name")
            }

            /// The place of `Role`.
            public var role: ODataField<String?> {
                ODataField(odataPlace, "Role")
            }

            /// The place of `Email`.
            public var email: ODataField<String?> {
                ODataField(odataPlace, "Email")
            }

            /// The place of `Phone`.
            public var phone: ODataField<String?> {
                ODataField(odataPlace, "Phone")
            }

            /// The place of `IsPrimary`.
            public var isPrimary: ODataField<Bool> {
                ODataField(odataPlace, "IsPrimary")
            }
        }
    }
}
