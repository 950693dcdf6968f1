import ODataHTTP
import TestSupport

extension BatchBoundary {
    /// `batch_1`, `changeset_2` and so on.
    static func counting() -> BatchBoundary {
        let counter = Counter()
        return BatchBoundary { "\($0.rawValue)_\(counter.next())" }
    }
}

/// Turns a text with plain line ends into one with those of HTTP.
func crlf(_ text: String) -> [UInt8] {
    Array(text.utf8.map { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }.joined())
}

extension BatchRequest {
    /// One line for each request, with change sets in brackets.
    var outline: [String] {
        items.map { item in
            switch item {
            case .request(let part): Self.outline(part)
            case .changeSet(let parts): "[" + parts.map(Self.outline).joined(separator: ", ") + "]"
            }
        }
    }

    private static func outline(_ part: BatchPart) -> String {
        let name = part.contentID.map { "\($0): " } ?? ""
        return "\(name)\(part.request.method) \(part.request.url) \(part.request.body.count)"
    }
}

extension BatchResponse {
    /// One line for each answer, with change sets in brackets.
    var outline: [String] {
        items.map { item in
            switch item {
            case .response(let part): Self.outline(part)
            case .changeSet(let parts): "[" + parts.map(Self.outline).joined(separator: ", ") + "]"
            }
        }
    }

    static func outline(_ part: BatchResponsePart) -> String {
        let name = part.contentID.map { "\($0): " } ?? ""
        return "\(name)\(part.response.status) \(part.response.body.count)"
    }
}

/// The message that a capture holds, without the head of the recorded answer or the command that asked.
struct Capture {
    let contentType: String
    let body: [UInt8]

    init(response path: String) throws {
        let message = try SharedFolder.bytes("captures/\(path)")
        let start = HTTPText.bodyStart(message) ?? 0
        let lines = HTTPText.text(Array(message[..<start])).split(separator: "\r\n")
        let field = lines.first { $0.lowercased().hasPrefix("content-type:") } ?? ""
        contentType = String(field.dropFirst("content-type:".count))
        body = Array(message[start...])
    }

    /// The command stands in the first line, the body after an empty one.
    init(request path: String) throws {
        let file = try SharedFolder.bytes("captures/\(path)")
        let command = HTTPText.text(Array(file.prefix { $0 != 0x0A }))
        let field = command.split(separator: "'").first { $0.hasPrefix("Content-Type:") } ?? ""
        contentType = String(field.dropFirst("Content-Type:".count))
        body = Array(file.drop { $0 != 0x0A }.dropFirst(2))
    }
}
