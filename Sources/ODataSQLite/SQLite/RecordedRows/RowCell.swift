/// A value of the row that SQLite reads next, in the form in which a virtual table hands it over.
struct RowCell {
    /// What kind of value it is.
    enum Kind: UInt8 {
        case null, integer, real, text, blob
    }

    let kind: Kind
    /// Number of bytes of a text or blob.
    let length: UInt32
    /// The integer, the bits of the real number, or the address of the bytes.
    let word: UInt64

    static let null = RowCell(kind: .null, length: 0, word: 0)
}

extension RowCell {
    init(_ value: Int64) {
        self.init(kind: .integer, length: 0, word: UInt64(bitPattern: value))
    }

    /// Bytes that stay where they are for as long as the cell is read.
    @unsafe init(_ kind: Kind, at address: UnsafePointer<UInt8>, length: Int) {
        let word = UInt64(UInt(bitPattern: address))
        self.init(kind: kind, length: UInt32(clamping: length), word: word)
    }
}
