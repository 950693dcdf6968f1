package import ODataValues

/// What a canonical function takes and gives, and the SQL that computes it.
package struct FunctionSignature: Sendable {
    /// What it takes in each place.
    var arguments: [ArgumentKind]
    /// Arguments that may not be left out.
    var required: Int
    /// The form of its value; nil for that of its first argument.
    package var result: ScalarForm?
    /// SQL in which `%1`, `%2`, … stand for the arguments, and `%*` for all of them with commas between; nil where the SQL
    /// depends on the forms of the arguments (see `QueryCompiler.call`) or there is none.
    package var sql: String?
    /// Whether it is of versions 1 to 3 alone.
    package var isOld: Bool

    init(
        _ arguments: ArgumentKind...,
        required: Int? = nil,
        gives result: ScalarForm?,
        sql: String? = nil,
        isOld: Bool = false
    ) {
        self.arguments = arguments
        self.required = required ?? arguments.count
        self.result = result
        self.sql = sql
        self.isOld = isOld
    }

    /// Returns the SQL with arguments in their places; nil where the function has no such text.
    package func sql(of arguments: [String]) -> String? {
        guard let sql else { return nil }
        var text = ""
        var rest = sql.utf8[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "%")) {
            text += String(decoding: rest[..<mark], as: UTF8.self)
            rest = rest[rest.index(after: mark)...]
            let place = rest.removeFirst()
            if place == UInt8(ascii: "*") {
                text += arguments.joined(separator: ", ")
            } else {
                text += arguments[Int(place &- UInt8(ascii: "1"))]
            }
        }
        return text + String(decoding: rest, as: UTF8.self)
    }
}
