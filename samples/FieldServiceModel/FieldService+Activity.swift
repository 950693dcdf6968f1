// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension FieldService {
    /// The enumeration `FieldService.Activity`.
    public enum Activity: ODataEnumeration {
        /// The member `Work`.
        case work
        /// The member `Travel`.
        case travel
        /// The member `Waiting`.
        case waiting
        /// A member that this version of the model does not have.
        case other(String)

        /// Qualified name of the type in the model.
        public static let odataType = "FieldService.Activity"

        /// Creates the member of a name.
        public init(rawValue: String) {
            switch rawValue {
            case "Work": self = .work
            case "Travel": self = .travel
            case "Waiting": self = .waiting
            default: self = .other(rawValue)
            }
        }

        /// The name of the member.
        public var rawValue: String {
            switch self {
            case .work: "Work"
            case .travel: "Travel"
            case .waiting: "Waiting"
            case .other(let name): name
            }
        }
    }
}
