/// A primitive value in the form in which it travels between reader, table and writer.
///
/// `ScalarForm` says what an Edm type looks like in this form. Strings are compared by their UTF-8 bytes (code point order),
/// never by Swift's `==`, which holds composed and decomposed letters equal.
public enum Scalar: Sendable {
    /// Null.
    case null
    /// An integer of 64 bits.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension Scalar: Hashable {
    /// Compares form and value; strings by UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.blob(let a), .blob(let b)): a == b
        default: false
        }
    }

    /// Hashes the value, strings by UTF-8 bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .blob(let value): hasher.combine(value)
        }
    }
}
