// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The enumeration `FieldService.Priority`.
    public enum Priority: ODataEnumeration {
        /// The member `Low`.
        case low
        /// The member `Normal`.
        case normal
        /// The member `High`.
        case high
        /// The member `Urgent`.
        case urgent
        /// A member that this version of the model does not have.
        case other(String)

        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Priority"

        /// Creates the member of a name.
        public init(rawValue: String) {
            switch rawValue {
            case "Low": self = .low
            case "Normal": self = .normal
            case "High": self = .high
            case "Urgent": self = .urgent
            default: self = .other(rawValue)
            }
        }

        /// The name of the member.
        public var rawValue: String {
            switch self {
            case .low: "Low"
            case .normal: "Normal"
            case .high: "High"
            case .urgent: "Urgent"
            case .other(let name): name
            }
        }
    }
}
