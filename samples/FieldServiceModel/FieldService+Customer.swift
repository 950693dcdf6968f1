// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Customer`.
    public struct Customer: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Customer"

        /// The property `ID`.
        public var id: String

        /// The property `Name`.
        public var name: String

        /// The property `Email`.
        public var email: String?

        /// The property `Phone`.
        public var phone: String?

        /// The property `Address`.
        public var address: FieldService.Address

        /// The property `BillingAddress`.
        public var billingAddress: FieldService.Address?

        /// The property `CreditLimit`.
        public var creditLimit: Decimal?

        /// The property `Since`.
        public var since: Date

        /// The property `Tags`.
        public var tags: [String]

        /// The property `Notes`.
        public var notes: String?

        /// The relation `Contacts`; nil where it is not expanded.
        public var contacts: [FieldService.Contact]?

        /// The relation `Sites`; nil where it is not expanded.
        public var sites: [FieldService.Site]?

        /// The relation `WorkOrders`; nil where it is not expanded.
        public var workOrders: [FieldService.WorkOrder]?

        /// Creates a value.
        public init(
            id: String,
            name: String,
            email: String? = nil,
            phone: String? = nil,
            address: FieldService.Address,
            billingAddress: FieldService.Address? = nil,
            creditLimit: Decimal? = nil,
            since: Date,
            tags: [String],
            notes: String? = nil,
            contacts: [FieldService.Contact]? = nil,
            sites: [FieldService.Site]? = nil,
            workOrders: [FieldService.WorkOrder]? = nil
        ) {
            self.id = id
            self.name = name
            self.email = email
            self.phone = phone
            self.address = address
            self.billingAddress = billingAddress
            self.creditLimit = creditLimit
            self.since = since
            self.tags = tags
            self.notes = notes
            self.contacts = contacts
            self.sites = sites
            self.workOrders = workOrders
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case name = "Name"
            case email = "Email"
            case phone = "Phone"
            case address = "Address"
            case billingAddress = "BillingAddress"
            case creditLimit = "CreditLimit"
            case since = "Since"
            case tags = "Tags"
            case notes = "Notes"
            case contacts = "Contacts"
            case sites = "Sites"
            case workOrders = "WorkOrders"
        }

        /// The properties and relations, for conditions and orders.
        public struct Fields: ODataFields {
            private let odataPlace: ODataPlace

            /// Creates them for the values at a place.
            public init(_ place: ODataPlace) { self.odataPlace = place }

            /// The place of `ID`.
            public var id: ODataField<String> {
                ODataField(odataPlace, "ID")
            }

            /// The place of `Name`.
            public var name: ODataField<String> {
                ODataField(odataPlace, "Name")
            }

            /// The place of `Email`.
            public var email: ODataField<String?> {
                ODataField(odataPlace, "Email")
            }

            /// The place of `Phone`.
            public var phone: ODataField<String?> {
                ODataField(odataPlace, "Phone")
            }

            /// The place of `Address`.
            public var address: ODataRelation<FieldService.Address> {
                ODataRelation(odataPlace, "Address")
            }

            /// The place of `BillingAddress`.
            public var billingAddress: ODataRelation<FieldService.Address> {
                ODataRelation(odataPlace, "BillingAddress")
            }

            /// The place of `CreditLimit`.
            public var creditLimit: ODataField<Decimal?> {
                ODataField(odataPlace, "CreditLimit")
            }

            /// The place of `Since`.
            public var since: ODataField<Date> {
                ODataField(odataPlace, "Since", as: .day)
            }

            /// The place of `Tags`.
            public var tags: ODataField<[String]> {
                ODataField(odataPlace, "Tags")
            }

            /// The place of `Notes`.
            public var notes: ODataField<String?> {
                ODataField(odataPlace, "Notes")
            }

            /// The place of `Contacts`.
            public var contacts: ODataRelations<FieldService.Contact> {
                ODataRelations(odataPlace, "Contacts")
            }

            /// The place of `Sites`.
            public var sites: ODataRelations<FieldService.Site> {
                ODataRelations(odataPlace, "Sites")
            }

            /// The place of `WorkOrders`.
            public var workOrders: ODataRelations<FieldService.WorkOrder> {
                ODataRelations(odataPlace, "WorkOrders")
            }
        }
    }
}
