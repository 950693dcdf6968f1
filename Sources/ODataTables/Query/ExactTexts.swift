/// The exact texts of a row's values, read from its small JSON object of strings.
struct ExactTexts {
    private var texts: [String: String] = [:]

    /// Reads the object; exact texts are ASCII without escapes, names may have any.
    init(_ json: String) {
        var scanner = Scanner(bytes: Array(json.utf8))
        while let name = scanner.nextString(), let text = scanner.nextString() {
            texts[name] = text
        }
    }

    subscript(name: String) -> String? { texts[name] }

    /// Finds one string after the other.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        mutating func nextString() -> String? {
            guard let start = bytes[position...].firstIndex(of: 0x22) else { return nil }
            var index = start + 1
            var text: [UInt8] = []
            while index < bytes.count, bytes[index] != 0x22 {
                if bytes[index] == 0x5C { index += 1 }
                if index < bytes.count { text.append(bytes[index]) }
                index += 1
            }
            position = min(index + 1, bytes.count)
            return String(decoding: text, as: UTF8.self)
        }
    }
}
