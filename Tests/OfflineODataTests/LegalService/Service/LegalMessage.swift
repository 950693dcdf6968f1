/// A request as the legal service sees it.
struct LegalRequest: Sendable {
    var method: String
    /// Path and query as they were sent, percent-encoded.
    var target: String
    /// Names in small letters.
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether `Prefer` holds a word.
    func prefers(_ word: String) -> Bool { headers["prefer"]?.contains(word) ?? false }
}

/// An answer of the legal service.
struct LegalAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    init(_ status: Int) { self.status = status }

    init(_ status: Int, _ value: LegalValue) {
        self.status = status
        set("Content-Type", "application/json;odata.metadata=minimal")
        body = Array(value.json.utf8)
    }

    init(_ status: Int, text: String, type: String) {
        self.status = status
        set("Content-Type", type)
        body = Array(text.utf8)
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    subscript(name: String) -> String? {
        headers.last { $0.name.lowercased() == name.lowercased() }?.value
    }

    mutating func set(_ name: String, _ value: String?) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }
}

/// Why the legal service refuses a request.
struct LegalRefusal: Error {
    var status: Int
    var message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
