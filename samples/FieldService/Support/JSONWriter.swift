/// Writes JSON text into bytes, member by member.
struct JSONWriter {
    /// What is written so far.
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Writes an object as the value of a member, or as an item where there is no name.
    mutating func object(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) {
        enclose(name, open: "{", close: "}", body)
    }

    /// Writes an array as the value of a member, or as an item where there is no name.
    mutating func array(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) {
        enclose(name, open: "[", close: "]", body)
    }

    /// Writes an array of strings.
    mutating func strings(_ name: String, _ values: [String]) {
        array(name) { writer in
            for value in values { writer.string(nil, value) }
        }
    }

    /// Writes a string, or null.
    mutating func string(_ name: String?, _ value: String?) {
        begin(name)
        if let value { quote(value) } else { append("null") }
    }

    /// Writes an integer, or null.
    mutating func integer(_ name: String, _ value: Int?) {
        number(name, value.map { String($0) })
    }

    /// Writes a number given by its digits, or null.
    mutating func number(_ name: String, _ digits: String?) {
        begin(name)
        append(digits ?? "null")
    }

    /// Writes true, false, or null.
    mutating func boolean(_ name: String, _ value: Bool?) {
        number(name, value.map { $0 ? "true" : "false" })
    }

    private mutating func enclose(
        _ name: String?,
        open: String,
        close: String,
        _ body: (inout JSONWriter) -> Void
    ) {
        begin(name)
        append(open)
        needsComma = false
        body(&self)
        append(close)
        needsComma = true
    }

    private mutating func begin(_ name: String?) {
        if needsComma { append(",") }
        needsComma = true
        guard let name else { return }
        quote(name)
        append(":")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func quote(_ text: String) {
        append("\"")
        for byte in text.utf8 { escape(byte) }
        append("\"")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case UInt8(ascii: "\n"): append("\\n")
        case UInt8(ascii: "\t"): append("\\t")
        case 0..<0x20: append(byte < 16 ? "\\u000" : "\\u00"); append(String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}
