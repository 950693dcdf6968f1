/// Looks at HTTP messages as raw bytes, without any of the code under test.
public enum HTTPText {
    /// Where the body begins; nil while the head is not whole.
    public static func bodyStart(_ message: [UInt8]) -> Int? {
        guard message.count >= 4 else { return nil }
        return (4...message.count).first { end in
            message[(end - 4)..<end].elementsEqual([13, 10, 13, 10])
        }
    }

    /// The stated length of the body; zero where there is none.
    public static func contentLength(_ head: some Collection<UInt8>) -> Int {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let lines = text.split(separator: "\r\n").filter { $0.hasPrefix("content-length:") }
        return lines.first.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
    }

    /// Whether a message with a stated length has come as a whole.
    public static func isWhole(_ message: [UInt8], hasBody: Bool = true) -> Bool {
        guard let start = bodyStart(message) else { return false }
        return !hasBody || message.count >= start + contentLength(message[..<start])
    }

    /// The bytes as text.
    public static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
