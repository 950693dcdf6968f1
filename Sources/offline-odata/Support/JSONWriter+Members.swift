import ODataProtocol

extension JSONWriter {
    /// Writes a member with a text.
    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Writes a member with a number.
    mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        integer(Int64(value))
    }

    /// Writes a member with a text, or null.
    mutating func optional(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }
}
