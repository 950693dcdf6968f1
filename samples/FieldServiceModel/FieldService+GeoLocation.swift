// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.GeoLocation`.
    public struct GeoLocation: ODataTyped {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.GeoLocation"

        /// The property `Latitude`.
        public var latitude: Double

        /// The property `Longitude`.
        public var longitude: Double

        /// Creates a value.
        public init(
            latitude: Double,
            longitude: Double
        ) {
            self.latitude = latitude
            self.longitude = longitude
        }

        private enum CodingKeys: String, CodingKey {
            case latitude = "Latitude"
            case longitude = "Longitude"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `Latitude`.
            public var latitude: ODataField<Double> {
                ODataField(odataPlace, "Latitude")
            }

            /// The place of `Longitude`.
            public var longitude: ODataField<Double> {
                ODataField(odataPlace, "Longitude")
            }
        }
    }
}
