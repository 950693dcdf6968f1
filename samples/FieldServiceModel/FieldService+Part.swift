// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Part`.
    public struct Part: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Part"

        /// The property `Number`.
        public var number: String

        /// The property `Name`.
        public var name: String

        /// The property `Description`.
        public var description: String?

        /// The property `UnitPrice`.
        public var unitPrice: Decimal

        /// The property `InStock`.
        public var inStock: Int32

        /// The property `Barcode`.
        public var barcode: Int64?

        /// The property `Weight`.
        public var weight: Double?

        /// The property `IsHazardous`.
        public var isHazardous: Bool?

        /// The property `DiscontinuedOn`.
        public var discontinuedOn: Date?

        /// The property `Icon`.
        public var icon: Data?

        /// The relation `WorkOrders`; nil where it is not expanded.
        public var workOrders: [FieldService.WorkOrder]?

        /// The key.
        public var id: String { number }

        /// Creates a value.
        public init(
            number: String,
            name: String,
            description: String? = nil,
            unitPrice: Decimal,
            inStock: Int32,
            barcode: Int64? = nil,
            weight: Double? = nil,
            isHazardous: Bool? = nil,
            discontinuedOn: Date? = nil,
            icon: Data? = nil,
            workOrders: [FieldService.WorkOrder]? = nil
        ) {
            self.number = number
            self.name = name
            self.description = description
            self.unitPrice = unitPrice
            self.inStock = inStock
            self.barcode = barcode
            self.weight = weight
            self.isHazardous = isHazardous
            self.discontinuedOn = discontinuedOn
            self.icon = icon
            self.workOrders = workOrders
        }

        private enum CodingKeys: String, CodingKey {
            case number = "Number"
            case name = "Name"
            case description = "Description"
            case unitPrice = "UnitPrice"
            case inStock = "InStock"
            case barcode = "Barcode"
            case weight = "Weight"
            case isHazardous = "IsHazardous"
            case discontinuedOn = "DiscontinuedOn"
            case icon = "Icon"
            case workOrders = "WorkOrders"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `Number`.
            public var number: ODataField<String> {
                ODataField(odataPlace, "Number")
            }

            /// The place of `Name`.
            public var name: ODataField<String> {
                ODataField(odataPlace, "Name")
            }

            /// The place of `Description`.
            public var description: ODataField<String?> {
                ODataField(odataPlace, "Description")
            }

            /// The place of `UnitPrice`.
            public var unitPrice: ODataField<Decimal> {
                ODataField(odataPlace, "UnitPrice")
            }

            /// The place of `InStock`.
            public var inStock: ODataField<Int32> {
                ODataField(odataPlace, "InStock")
            }

            /// The place of `Barcode`.
            public var barcode: ODataField<Int64?> {
                ODataField(odataPlace, "Barcode")
            }

            /// The place of `Weight`.
            public var weight: ODataField<Double?> {
                ODataField(odataPlace, "Weight")
            }

            /// The place of `IsHazardous`.
            public var isHazardous: ODataField<Bool?> {
                ODataField(odataPlace, "IsHazardous")
            }

            /// The place of `DiscontinuedOn`.
            public var discontinuedOn: ODataField<Date?> {
                ODataField(odataPlace, "DiscontinuedOn", as: .day)
            }

            /// The place of `Icon`.
            public var icon: ODataField<Data?> {
                ODataField(odataPlace, "Icon")
            }

            /// The place of `WorkOrders`.
            public var workOrders: ODataRelations<FieldService.WorkOrder> {
                ODataRelations(odataPlace, "WorkOrders")
            }
        }
    }
}
