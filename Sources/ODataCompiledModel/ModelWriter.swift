import ODataModel

/// Gathers the bytes of a model: numbers at once, each string once in a table that stands before them.
struct ModelWriter {
    private var body: [UInt8] = []
    private var strings: [String] = []
    private var indexes: [String: Int] = [:]

    init() {
        // By name: the order of the cases is no part of the form.
        for primitive in PrimitiveType.allCases { _ = index(of: primitive.rawValue) }
        number(PrimitiveType.allCases.count)
    }

    /// Everything written, the table of strings first.
    func finished() -> [UInt8] {
        var all = ModelWriter(bytes: [])
        all.number(strings.count)
        for string in strings { all.number(string.utf8.count) }
        for string in strings { all.body += string.utf8 }
        return all.body + body
    }

    private init(bytes: [UInt8]) { body = bytes }

    /// Seven bits a byte, the lowest first.
    mutating func number(_ value: Int) {
        var rest = UInt64(bitPattern: Int64(value))
        while rest >= 0x80 {
            body.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        body.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func string(_ value: String) { number(index(of: value)) }

    mutating func string(_ value: String?) { number(value.map { index(of: $0) + 1 } ?? 0) }

    /// A number that says what follows, and a second one.
    mutating func numbers(_ first: Int, _ second: Int) {
        number(first)
        number(second)
    }

    /// A number that says what follows, and texts.
    mutating func named(_ kind: Int, _ texts: String...) {
        number(kind)
        for text in texts { string(text) }
    }

    /// A primitive type by its place among the first strings.
    mutating func primitive(_ type: PrimitiveType) { string(type.rawValue) }

    /// A list of lists.
    mutating func lists<Item: Compilable>(_ lists: [[Item]]) {
        number(lists.count)
        for items in lists { list(items) }
    }

    mutating func list<Item: Compilable>(_ items: [Item]) {
        number(items.count)
        for item in items { item.write(to: &self) }
    }

    /// What a closure writes, with its length in bytes before it.
    mutating func sized(_ write: (inout Self) -> Void) {
        // Swapped, not copied: the whole model may stand before.
        var written: [UInt8] = []
        swap(&body, &written)
        write(&self)
        swap(&body, &written)
        number(written.count)
        body += written
    }

    /// Up to 63 answers of yes or no, the first one in the lowest bit.
    mutating func flags(_ flags: Bool...) {
        number(flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
    }

    private mutating func index(of string: String) -> Int {
        if let known = indexes[string] { return known }
        indexes[string] = strings.count
        strings.append(string)
        return strings.count - 1
    }
}
