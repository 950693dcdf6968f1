import ODataValues

extension JSONWriter {
    /// Writes a member with a text.
    package mutating func member(_ name: String, value: String) {
        self.name(name)
        string(value)
    }

    /// Writes a member with a number that is not negative, given in thousandths.
    package mutating func member(_ name: String, thousandths: Int64) {
        self.name(name)
        let rest = String(thousandths % 1_000 + 1_000).dropFirst()
        raw(Array("\(thousandths / 1_000).\(rest)".utf8).span)
    }
}
