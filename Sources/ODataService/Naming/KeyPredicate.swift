import ODataModel
import ODataProtocol
import ODataTables

/// Writes keys as they stand in URLs (OData 4.01 Part 2 § 4.3.1).
struct KeyPredicate {
    let model: EdmModel

    /// Returns the parentheses with the key of a row.
    func text(_ key: [Scalar], of table: TableLayout) -> String {
        let type = table.entityType
        let parts = zip(table.keyColumns, key).map { place, value in
            literal(value, table.columns[place].form ?? .string)
        }
        guard parts.count != 1 else { return "(" + parts[0] + ")" }
        let names = model.key(of: type).map(\.name)
        return "(" + zip(names, parts).map { $0 + "=" + $1 }.joined(separator: ",") + ")"
    }

    /// Returns a value as a literal of a URL, percent-encoded.
    func literal(_ value: Scalar, _ form: ScalarForm) -> String {
        if value == .null { return "null" }
        var bytes: [UInt8] = []
        form.write(value, in: model, into: &bytes)
        switch form {
        case .string: return "'" + Self.encoded(bytes, isString: true) + "'"
        case .duration: return "duration'" + Self.encoded(bytes) + "'"
        case .binary: return "binary'" + Self.encoded(bytes) + "'"
        case .enumeration(let id): return model[id].name + "'" + Self.encoded(bytes) + "'"
        default: return Self.encoded(bytes)
        }
    }

    /// Bytes that need no escape inside a segment (RFC 3986 § 3.3), without those that mean something to OData.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: ","), UInt8(ascii: "="):
            true
        default: false
        }
    }

    private static func encoded(_ bytes: [UInt8], isString: Bool = false) -> String {
        var text = ""
        for byte in bytes {
            if isString, byte == UInt8(ascii: "'") {
                text += "''"
            } else if isPlain(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
