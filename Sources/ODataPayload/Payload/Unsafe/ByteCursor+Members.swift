/// Objects and arrays member by member: whoever reads them says what becomes of each.
extension ByteCursor {
    /// Nothing that a store keeps is deeper: SQLite's own functions read no more levels of JSON.
    package static let storedDepth = 1_000

    /// Reads an object; the function gets each name with the cursor at its value, which it must read or pass over.
    package mutating func forEachMember(
        _ read: (inout ByteCursor, Token) throws(PayloadFault) -> Void
    ) throws(PayloadFault) {
        try expect(UInt8(ascii: "{"), what: "an object")
        skipSpace()
        if byte == UInt8(ascii: "}") { return advance() }
        repeat {
            let name = try string()
            try colon()
            try read(&self, name)
        } while try comma(or: UInt8(ascii: "}"), "a comma or the end of the object")
    }

    /// Reads an array; the function gets the cursor at each item, which it must read or pass over.
    package mutating func forEachItem(
        _ read: (inout ByteCursor) throws(PayloadFault) -> Void
    ) throws(PayloadFault) {
        try expect(UInt8(ascii: "["), what: "an array")
        skipSpace()
        if byte == UInt8(ascii: "]") { return advance() }
        repeat {
            try read(&self)
        } while try comma(
            or: UInt8(ascii: "]"),
            "a comma or the end of the array"
        )
    }

    /// Passes over a value of any kind and returns its place.
    package mutating func place(depth: Int, limit: Int) throws(PayloadFault) -> Range<Int> {
        let start = index
        try skipValue(depth: depth, limit: limit)
        return start..<index
    }
}
