// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Address`.
    public struct Address: ODataTyped {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Address"

        /// The property `Street`.
        public var street: String?

        /// The property `PostalCode`.
        public var postalCode: String?

        /// The property `City`.
        public var city: String

        /// The property `Country`.
        public var country: String

        /// The property `Location`.
        public var location: FieldService.GeoLocation?

        /// Creates a value.
        public init(
            street: String? = nil,
            postalCode: String? = nil,
            city: String,
            country: String,
            location: FieldService.GeoLocation? = nil
        ) {
            self.street = street
            self.postalCode = postalCode
            self.city = city
            self.country = country
            self.location = location
        }

        private enum CodingKeys: String, CodingKey {
            case street = "Street"
            case postalCode = "PostalCode"
            case city = "City"
            case country = "Country"
            case location = "Location"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `Street`.
            public var street: ODataField<String?> {
                ODataField(odataPlace, "Street")
            }

            /// The place of `PostalCode`.
            public var postalCode: ODataField<String?> {
                ODataField(odataPlace, "PostalCode")
            }

            /// The place of `City`.
            public var city: ODataField<String> {
                ODataField(odataPlace, "City")
            }

            /// The place of `Country`.
            public var country: ODataField<String> {
                ODataField(odataPlace, "Country")
            }

            /// The place of `Location`.
            public var location: ODataRelation<FieldService.GeoLocation> {
                ODataRelation(odataPlace, "Location")
            }
        }
    }
}
