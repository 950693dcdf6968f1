// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The enumeration `FieldService.Status`.
    public enum Status: ODataEnumeration {
        /// The member `Open`.
        case `open`
        /// The member `Scheduled`.
        case scheduled
        /// The member `InProgress`.
        case inProgress
        /// The member `OnHold`.
        case onHold
        /// The member `Done`.
        case done
        /// The member `Cancelled`.
        case cancelled
        /// A member that this version of the model does not have.
        case other(String)

        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Status"

        /// Creates the member of a name.
        public init(rawValue: String) {
            switch rawValue {
            case "Open": self = .`open`
            case "Scheduled": self = .scheduled
            case "InProgress": self = .inProgress
            case "OnHold": self = .onHold
            case "Done": self = .done
            case "Cancelled": self = .cancelled
            default: self = .other(rawValue)
            }
        }

        /// The name of the member.
        public var rawValue: String {
            switch self {
            case .`open`: "Open"
            case .scheduled: "Scheduled"
            case .inProgress: "InProgress"
            case .onHold: "OnHold"
            case .done: "Done"
            case .cancelled: "Cancelled"
            case .other(let name): name
            }
        }
    }
}
