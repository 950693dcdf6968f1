#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value of a property list of any structure.
indirect enum PropertyListNode: Codable, Sendable {
    case object([String: PropertyListNode])
    case list([PropertyListNode])
    case text(String)
    case number(Int)
    case flag(Bool)
    /// A date, data, or a number that is not whole or too large, as messages name it.
    case other(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let items = try? container.decode([PropertyListNode].self) {
            self = .list(items)
        } else if let members = try? container.decode([String: PropertyListNode].self) {
            self = .object(members)
        } else if let number = try? container.decode(Double.self) {
            self = .other("\(number)")
        } else {
            self = .other((try? container.decode(Data.self)) == nil ? "a date" : "data")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .list(let items): try container.encode(items)
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .other(let text): try container.encode(text)
        }
    }
}
