// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.WorkOrder`.
    public struct WorkOrder: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.WorkOrder"

        /// The property `ID`.
        public var id: Int32?

        /// The property `Title`.
        public var title: String

        /// The property `Description`.
        public var description: String?

        /// The property `Priority`.
        public var priority: FieldService.Priority

        /// The property `Status`.
        public var status: FieldService.Status

        /// The property `CustomerID`.
        public var customerID: String?

        /// The property `SiteID`.
        public var siteID: Int32?

        /// The property `AssignedToID`.
        public var assignedToID: UUID?

        /// The property `RequestedAt`.
        public var requestedAt: Date?

        /// The property `DueAt`.
        public var dueAt: Date?

        /// The property `ScheduledOn`.
        public var scheduledOn: Date?

        /// The property `EstimatedEffort`.
        public var estimatedEffort: Duration?

        /// The property `Price`.
        public var price: Decimal?

        /// The property `Discount`.
        public var discount: Double?

        /// The property `IsBillable`.
        public var isBillable: Bool

        /// The property `ExternalReference`.
        public var externalReference: UUID?

        /// The property `Tags`.
        public var tags: [String]

        /// The property `ChangedAt`.
        public var changedAt: Date?

        /// The relation `Customer`; nil where it is not expanded.
        public var customer: ODataRelated<FieldService.Customer>?

        /// The relation `Site`; nil where it is not expanded.
        public var site: ODataRelated<FieldService.Site>?

        /// The relation `AssignedTo`; nil where it is not expanded.
        public var assignedTo: ODataRelated<FieldService.Technician>?

        /// The relation `Tasks`; nil where it is not expanded.
        public var tasks: [FieldService.Task]?

        /// The relation `RequiredParts`; nil where it is not expanded.
        public var requiredParts: [FieldService.Part]?

        /// The relation `TimeEntries`; nil where it is not expanded.
        public var timeEntries: [FieldService.TimeEntry]?

        /// The relation `Attachments`; nil where it is not expanded.
        public var attachments: [FieldService.Attachment]?

        /// Creates a value.
        public init(
            id: Int32? = nil,
            title: String,
            description: String? = nil,
            priority: FieldService.Priority,
            status: FieldService.Status,
            customerID: String? = nil,
            siteID: Int32? = nil,
            assignedToID: UUID? = nil,
            requestedAt: Date? = nil,
            dueAt: Date? = nil,
            scheduledOn: Date? = nil,
            estimatedEffort: Duration? = nil,
            price: Decimal? = nil,
            discount: Double? = nil,
            isBillable: Bool,
            externalReference: UUID? = nil,
            tags: [String],
            changedAt: Date? = nil,
            customer: ODataRelated<FieldService.Customer>? = nil,
            site: ODataRelated<FieldService.Site>? = nil,
            assignedTo: ODataRelated<FieldService.Technician>? = nil,
            tasks: [FieldService.Task]? = nil,
            requiredParts: [FieldService.Part]? = nil,
            timeEntries: [FieldService.TimeEntry]? = nil,
            attachments: [FieldService.Attachment]? = nil
        ) {
            self.id = id
            self.title = title
            self.description = description
            self.priority = priority
            self.status = status
            self.customerID = customerID
            self.siteID = siteID
            self.assignedToID = assignedToID
            self.requestedAt = requestedAt
            self.dueAt = dueAt
            self.scheduledOn = scheduledOn
            self.estimatedEffort = estimatedEffort
            self.price = price
            self.discount = discount
            self.isBillable = isBillable
            self.externalReference = externalReference
            self.tags = tags
            self.changedAt = changedAt
            self.customer = customer
            self.site = site
            self.assignedTo = assignedTo
            self.tasks = tasks
            self.requiredParts = requiredParts
            self.timeEntries = timeEntries
            self.attachments = attachments
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case title = "Title"
            case description = "Description"
            case priority = "Priority"
            case status = "Status"
            case customerID = "CustomerID"
            case siteID = "SiteID"
            case assignedToID = "AssignedToID"
            case requestedAt = "RequestedAt"
            case dueAt = "DueAt"
            case scheduledOn = "ScheduledOn"
            case estimatedEffort = "EstimatedEffort"
            case price = "Price"
            case discount = "Discount"
            case isBillable = "IsBillable"
            case externalReference = "ExternalReference"
            case tags = "Tags"
            case changedAt = "ChangedAt"
            case customer = "Customer"
            case site = "Site"
            case assignedTo = "AssignedTo"
            case tasks = "Tasks"
            case requiredParts = "RequiredParts"
            case timeEntries = "TimeEntries"
            case attachments = "Attachments"
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

            /// The place of `Title`.
            public var title: ODataField<String> {
                ODataField(odataPlace, "Title")
            }

            /// The place of `Description`.
            public var description: ODataField<String?> {
                ODataField(odataPlace, "Description")
            }

            /// The place of `Priority`.
            public var priority: ODataField<FieldService.Priority> {
                ODataField(odataPlace, "Priority")
            }

            /// The place of `Status`.
            public var status: ODataField<FieldService.Status> {
                ODataField(odataPlace, "Status")
            }

            /// The place of `CustomerID`.
            public var customerID: ODataField<String?> {
                ODataField(odataPlace, "CustomerID")
            }

            /// The place of `SiteID`.
            public var siteID: ODataField<Int32?> {
                ODataField(odataPlace, "SiteID")
            }

            /// The place of `AssignedToID`.
            public var assignedToID: ODataField<UUID?> {
                ODataField(odataPlace, "AssignedToID")
            }

            /// The place of `RequestedAt`.
            public var requestedAt: ODataField<Date?> {
                ODataField(odataPlace, "RequestedAt")
            }

            /// The place of `DueAt`.
            public var dueAt: ODataField<Date?> {
                ODataField(odataPlace, "DueAt")
            }

            /// The place of `ScheduledOn`.
            public var scheduledOn: ODataField<Date?> {
                ODataField(odataPlace, "ScheduledOn", as: .day)
            }

            /// The place of `EstimatedEffort`.
            public var estimatedEffort: ODataField<Duration?> {
                ODataField(odataPlace, "EstimatedEffort")
            }

            /// The place of `Price`.
            public var price: ODataField<Decimal?> {
                ODataField(odataPlace, "Price")
            }

            /// The place of `Discount`.
            public var discount: ODataField<Double?> {
                ODataField(odataPlace, "Discount")
            }

            /// The place of `IsBillable`.
            public var isBillable: ODataField<Bool> {
                ODataField(odataPlace, "IsBillable")
            }

            /// The place of `ExternalReference`.
            public var externalReference: ODataField<UUID?> {
                ODataField(odataPlace, "ExternalReference")
            }

            /// The place of `Tags`.
            public var tags: ODataField<[String]> {
                ODataField(odataPlace, "Tags")
            }

            /// The place of `ChangedAt`.
            public var changedAt: ODataField<Date?> {
                ODataField(odataPlace, "ChangedAt")
            }

            /// The place of `Customer`.
            public var customer: ODataRelation<FieldService.Customer> {
                ODataRelation(odataPlace, "Customer")
            }

            /// The place of `Site`.
            public var site: ODataRelation<FieldService.Site> {
                ODataRelation(odataPlace, "Site")
            }

            /// The place of `AssignedTo`.
            public var assignedTo: ODataRelation<FieldService.Technician> {
                ODataRelation(odataPlace, "AssignedTo")
            }

            /// The place of `Tasks`.
            public var tasks: ODataRelations<FieldService.Task> {
                ODataRelations(odataPlace, "Tasks")
            }

            /// The place of `RequiredParts`.
            public var requiredParts: ODataRelations<FieldService.Part> {
                ODataRelations(odataPlace, "RequiredParts")
            }

            /// The place of `TimeEntries`.
            public var timeEntries: ODataRelations<FieldService.TimeEntry> {
                ODataRelations(odataPlace, "TimeEntries")
            }

            /// The place of `Attachments`.
            public var attachments: ODataRelations<FieldService.Attachment> {
                ODataRelations(odataPlace, "Attachments")
            }
        }
    }
}
