/// The exact texts of a row's values, read from its small JSON object of strings.
package struct ExactTexts {
    /// Names and texts one after the other, without escapes.
    private var bytes: [UInt8] = []
    private var entries: [(name: Range<Int>, text: Range<Int>)] = []

    /// Reads the object; exact texts are ASCII without escapes, names may have any.
    init(_ json: Span<UInt8>) {
        bytes.reserveCapacity(json.count)
        var position = 0
        while let name = keepString(json, at: &position), let text = keepString(json, at: &position)
        {
            entries.append((name, text))
        }
    }

    /// Whether an object may have a text of a name: false costs no reading.
    static func mayHold(_ name: String, in json: Span<UInt8>) -> Bool {
        guard let first = name.utf8.first else { return true }
        for start in 0..<json.count {
            // What is escaped is to be read.
            if json[start] == UInt8(ascii: "\\") { return true }
            guard json[start] == first, json.count - start > name.utf8.count else { continue }
            if isName(name, in: json, at: start) { return true }
        }
        return false
    }

    private static func isName(_ name: String, in json: Span<UInt8>, at start: Int) -> Bool {
        var place = start
        for byte in name.utf8 {
            guard json[place] == byte else { return false }
            place += 1
        }
        return true
    }

    /// The text of a value by the name of its column; nil where there is none.
    func text(_ name: Span<UInt8>) -> Range<Int>? {
        entries.first { isName($0.name, equalTo: name) }?.text
    }

    /// The bytes of a text.
    func withBytes(_ text: Range<Int>, body: (Span<UInt8>) -> Void) {
        body(bytes.span.extracting(text))
    }

    package subscript(name: String) -> String? {
        let name = Array(name.utf8)
        return text(name.span).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    private func isName(_ range: Range<Int>, equalTo name: Span<UInt8>) -> Bool {
        guard range.count == name.count else { return false }
        for index in 0..<name.count where bytes[range.lowerBound + index] != name[index] {
            return false
        }
        return true
    }

    /// Copies the next string; nil where there is none.
    private mutating func keepString(_ json: Span<UInt8>, at position: inout Int) -> Range<Int>? {
        while position < json.count, json[position] != 0x22 { position += 1 }
        guard position < json.count else { return nil }
        let start = bytes.count
        position += 1
        while position < json.count, json[position] != 0x22 {
            if json[position] == 0x5C { position += 1 }
            if position < json.count { bytes.append(json[position]) }
            position += 1
        }
        position += 1
        return start..<bytes.count
    }
}
