import ODataValues
import ODataModel

/// Forms by name, for functions of SQL that read and write values.
extension ScalarForm {
    /// The name; nil for forms that only a model explains.
    package var tag: String? {
        switch self {
        case .boolean: "boolean"
        case .integer(let type): type.rawValue
        case .single: "single"
        case .double: "double"
        case .scaledDecimal(let scale): "scaled\(scale)"
        case .decimalText: "decimal"
        case .string: "string"
        case .guid: "guid"
        case .binary: "binary"
        case .date: "date"
        case .timeOfDay: "timeOfDay"
        case .duration: "duration"
        case .dateTimeOffset: "dateTimeOffset"
        case .enumeration, .json: nil
        }
    }

    /// The form of a name.
    init?(tag: String) {
        switch tag {
        case "boolean": self = .boolean
        case "single": self = .single
        case "double": self = .double
        case "decimal": self = .decimalText
        case "string": self = .string
        case "guid": self = .guid
        case "binary": self = .binary
        case "date": self = .date
        case "timeOfDay": self = .timeOfDay
        case "duration": self = .duration
        case "dateTimeOffset": self = .dateTimeOffset
        default:
            if let type = PrimitiveType(rawValue: tag) {
                self = .integer(type)
            } else if tag.hasPrefix("scaled"), let scale = Int(tag.dropFirst("scaled".count)) {
                self = .scaledDecimal(scale: scale)
            } else {
                return nil
            }
        }
    }
}
