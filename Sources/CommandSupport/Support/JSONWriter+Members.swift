public import ODataProtocol

extension JSONWriter {
    /// Writes a member with a text.
    public mutating func member(_ name: String, value: String) {
        self.name(name)
        string(value)
    }

    /// Writes a member with a number.
    public mutating func member(_ name: String, value: Int) {
        self.name(name)
        integer(Int64(value))
    }

    /// Writes a member with a truth value.
    public mutating func member(_ name: String, value: Bool) {
        self.name(name)
        boolean(value)
    }

    /// Writes a member with texts.
    public mutating func member(_ name: String, values: [String]) {
        self.name(name)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    /// Writes a member with numbers.
    public mutating func member(_ name: String, values: [Int]) {
        self.name(name)
        beginArray()
        for value in values { integer(Int64(value)) }
        endArray()
    }

    /// Writes a member with an object for each item.
    public mutating func objects<Item>(
        _ name: String,
        items: [Item],
        write: (inout JSONWriter, Item) -> Void
    ) {
        self.name(name)
        beginArray()
        for item in items {
            beginObject()
            write(&self, item)
            endObject()
        }
        endArray()
    }

    /// Writes a member with a number, or null.
    public mutating func optional(_ name: String, value: Int?) {
        self.name(name)
        if let value { integer(Int64(value)) } else { null() }
    }

    /// Writes a member with a text, or null.
    public mutating func optional(_ name: String, value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a member with a time in seconds, to the millisecond.
    public mutating func member(_ name: String, seconds time: Duration) {
        let milliseconds = Int64(time / .milliseconds(1))
        let rest = String(milliseconds % 1_000 + 1_000).dropFirst()
        self.name(name)
        raw(Array("\(milliseconds / 1_000).\(rest)".utf8).span)
    }
}
