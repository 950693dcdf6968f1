/// The SQL of a canonical function: mostly a text, written as a string literal.
package enum FunctionSQL: Sendable, ExpressibleByStringLiteral {
    /// Text in which `%1`, `%2`, … stand for the arguments, and `%*` for all of them with commas between.
    case text(String)
    /// A number that is known beforehand.
    case constant(Int64)
    /// The instant of the request.
    case now
    /// A part of a date, an instant or a time of day, by its name in `odata_part`.
    case part(String)
    /// A whole number near a number, by the name that the functions of each form have for it.
    case rounding(String)
    /// A duration in seconds.
    case seconds
    /// What `odata_list` computes of collections, by its name there.
    case list(String)

    package init(stringLiteral text: String) { self = .text(text) }

    /// Returns a text with arguments in their places.
    package static func filled(_ text: String, with arguments: [String]) -> String {
        var filled = ""
        var rest = text.utf8[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "%")) {
            filled += String(decoding: rest[..<mark], as: UTF8.self)
            rest = rest[rest.index(after: mark)...]
            let place = rest.removeFirst()
            if place == UInt8(ascii: "*") {
                filled += arguments.joined(separator: ", ")
            } else {
                filled += arguments[Int(place &- UInt8(ascii: "1"))]
            }
        }
        return filled + String(decoding: rest, as: UTF8.self)
    }
}
