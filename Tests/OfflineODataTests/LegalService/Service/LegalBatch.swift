/// The requests of a batch, and later their answers.
struct LegalBatch {
    struct Part {
        var request: LegalRequest
        var contentID: String?
        var answer: LegalAnswer?
    }

    /// Requests that take effect together, or one by itself.
    struct Group {
        var parts: [Part]
        var isChangeSet: Bool
        var name: String?
    }

    var groups: [Group] = []

    // MARK: JSON

    init?(json body: [UInt8]) {
        guard let items = LegalValueReader.read(body)?["requests"]?.items else { return nil }
        for item in items {
            guard let id = item["id"]?.string, let method = item["method"]?.string,
                let url = item["url"]?.string
            else { return nil }
            var headers: [String: String] = [:]
            for field in item["headers"]?.members ?? [] {
                headers[field.name.lowercased()] = field.value.string
            }
            let request = LegalRequest(
                method: method.uppercased(),
                target: url,
                headers: headers,
                body: item["body"].map { Array($0.json.utf8) } ?? []
            )
            let part = Part(request: request, contentID: id)
            let name = item["atomicityGroup"]?.string
            if let name, let last = groups.indices.last, groups[last].name == name {
                groups[last].parts.append(part)
            } else {
                groups.append(Group(parts: [part], isChangeSet: name != nil, name: name))
            }
        }
    }

    // MARK: Multipart

    init?(multipart request: LegalRequest) {
        guard let boundary = Self.boundary(request.headers["content-type"]) else { return nil }
        for piece in Self.pieces(request.text, boundary) {
            let (headers, body) = Self.split(piece)
            if let inner = Self.boundary(headers["content-type"]) {
                let parts = Self.pieces(body, inner).compactMap(Self.part)
                groups.append(Group(parts: parts, isChangeSet: true))
            } else if let part = Self.part(piece) {
                groups.append(Group(parts: [part], isChangeSet: false))
            } else {
                return nil
            }
        }
    }

    private static func boundary(_ type: String?) -> String? {
        guard let type, type.hasPrefix("multipart/"), let start = type.firstRange(of: "boundary=")
        else { return nil }
        return String(type[start.upperBound...].prefix { $0 != ";" }).replacing("\"", with: "")
    }

    private static func pieces(_ text: String, _ boundary: String) -> [String] {
        let parts = text.split(separator: "--" + boundary, omittingEmptySubsequences: false)
        return parts.dropFirst().prefix { !$0.hasPrefix("--") }.map { part in
            var part = part
            if part.hasPrefix("\r\n") { part = part.dropFirst() }
            if part.hasSuffix("\r\n") { part = part.dropLast() }
            return String(part)
        }
    }

    private static func split(_ text: String) -> (headers: [String: String], body: String) {
        guard let gap = text.firstRange(of: "\r\n\r\n") else { return (fields(text), "") }
        return (fields(text[..<gap.lowerBound]), String(text[gap.upperBound...]))
    }

    private static func fields(_ text: some StringProtocol) -> [String: String] {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(
                line[line.index(after: colon)...].drop { $0 == " " }
            )
        }
        return fields
    }

    private static func part(_ piece: String) -> Part? {
        let (outer, message) = split(piece)
        guard let end = message.firstRange(of: "\r\n") else { return nil }
        let line = message[..<end.lowerBound].split(separator: " ")
        guard line.count == 3 else { return nil }
        let (headers, body) = split(String(message[end.upperBound...]))
        let request = LegalRequest(
            method: String(line[0]),
            target: String(line[1]),
            headers: headers,
            body: Array(body.utf8)
        )
        return Part(request: request, contentID: outer["content-id"])
    }
}
