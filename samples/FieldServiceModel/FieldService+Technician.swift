// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The type `FieldService.Technician`.
    public struct Technician: ODataTyped, Identifiable {
        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Technician"

        /// The property `ID`.
        public var id: UUID

        /// The property `Name`.
        public var name: String

        /// The property `Email`.
        public var email: String?

        /// The property `Phone`.
        public var phone: String?

        /// The property `HiredOn`.
        public var hiredOn: Date

        /// The property `ShiftStart`.
        public var shiftStart: String?

        /// The property `HourlyRate`.
        public var hourlyRate: Decimal

        /// The property `Skills`.
        public var skills: FieldService.Skills

        /// The property `Certificates`.
        public var certificates: [String]

        /// The property `IsActive`.
        public var isActive: Bool

        /// The property `SupervisorID`.
        public var supervisorID: UUID?

        /// The relation `Supervisor`; nil where it is not expanded.
        public var supervisor: ODataRelated<FieldService.Technician>?

        /// The relation `Team`; nil where it is not expanded.
        public var team: [FieldService.Technician]?

        /// The relation `WorkOrders`; nil where it is not expanded.
        public var workOrders: [FieldService.WorkOrder]?

        /// The relation `TimeEntries`; nil where it is not expanded.
        public var timeEntries: [FieldService.TimeEntry]?

        /// Creates a value.
        public init(
            id: UUID,
            name: String,
            email: String? = nil,
            phone: String? = nil,
            hiredOn: Date,
            shiftStart: String? = nil,
            hourlyRate: Decimal,
            skills: FieldService.Skills,
            certificates: [String],
            isActive: Bool,
            supervisorID: UUID? = nil,
            supervisor: ODataRelated<FieldService.Technician>? = nil,
            team: [FieldService.Technician]? = nil,
            workOrders: [FieldService.WorkOrder]? = nil,
            timeEntries: [FieldService.TimeEntry]? = nil
        ) {
            self.id = id
            self.name = name
            self.email = email
            self.phone = phone
            self.hiredOn = hiredOn
            self.shiftStart = shiftStart
            self.hourlyRate = hourlyRate
            self.skills = skills
            self.certificates = certificates
            self.isActive = isActive
            self.supervisorID = supervisorID
            self.supervisor = supervisor
            self.team = team
            self.workOrders = workOrders
            self.timeEntries = timeEntries
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case name = "Name"
            case email = "Email"
            case phone = "Phone"
            case hiredOn = "HiredOn"
            case shiftStart = "ShiftStart"
            case hourlyRate = "HourlyRate"
            case skills = "Skills"
            case certificates = "Certificates"
            case isActive = "IsActive"
            case supervisorID = "SupervisorID"
            case supervisor = "Supervisor"
            case team = "Team"
            case workOrders = "WorkOrders"
            case timeEntries = "TimeEntries"
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

            /// The place of `HiredOn`.
            public var hiredOn: ODataField<Date> {
                ODataField(odataPlace, "HiredOn", as: .day)
            }

            /// The place of `ShiftStart`.
            public var shiftStart: ODataField<String?> {
                ODataField(odataPlace, "ShiftStart", as: .timeOfDay)
            }

            /// The place of `HourlyRate`.
            public var hourlyRate: ODataField<Decimal> {
                ODataField(odataPlace, "HourlyRate")
            }

            /// The place of `Skills`.
            public var skills: ODataField<FieldService.Skills> {
                ODataField(odataPlace, "Skills")
            }

            /// The place of `Certificates`.
            public var certificates: ODataField<[String]> {
                ODataField(odataPlace, "Certificates")
            }

            /// The place of `IsActive`.
            public var isActive: ODataField<Bool> {
                ODataField(odataPlace, "IsActive")
            }

            /// The place of `SupervisorID`.
            public var supervisorID: ODataField<UUID?> {
                ODataField(odataPlace, "SupervisorID")
            }

            /// The place of `Supervisor`.
            public var supervisor: ODataRelation<FieldService.Technician> {
                ODataRelation(odataPlace, "Supervisor")
            }

            /// The place of `Team`.
            public var team: ODataRelations<FieldService.Technician> {
                ODataRelations(odataPlace, "Team")
            }

            /// The place of `WorkOrders`.
            public var workOrders: ODataRelations<FieldService.WorkOrder> {
                ODataRelations(odataPlace, "WorkOrders")
            }

            /// The place of `TimeEntries`.
            public var timeEntries: ODataRelations<FieldService.TimeEntry> {
                ODataRelations(odataPlace, "TimeEntries")
            }
        }
    }
}
