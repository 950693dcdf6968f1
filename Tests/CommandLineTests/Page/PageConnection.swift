import TestSupport
import Testing

/// A page over plain HTTP: what is sent is said byte by byte.
struct PageConnection: Sendable {
    /// An answer as it came; the status is 0 where the connection was closed without one.
    struct Answer: Sendable {
        var status: Int
        /// Status line and header fields.
        var head: String
        var body: String

        func has(_ field: String) -> Bool { head.contains("\r\n\(field)\r\n") }
    }

    let tool: RunningTool
    let port: UInt16

    /// Starts `serve`.
    init(_ arguments: [String]) async throws {
        let (tool, root) = try await RunningTool.service(arguments)
        self.tool = tool
        port = try #require(UInt16(root.dropFirst("http://127.0.0.1:".count).dropLast()))
    }

    /// Sends a request line and fields; `Host` is that of the page unless the fields name one.
    func send(_ line: String, _ fields: [String] = [], body: String? = nil) async throws -> Answer {
        var lines = ["\(line) HTTP/1.1", "Connection: close"] + fields
        if !fields.contains(where: { $0.hasPrefix("Host:") }) {
            lines.append("Host: 127.0.0.1:\(port)")
        }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        let answer = try await onThread { [port] in
            let socket = try TCPSocket(connectingTo: port)
            defer { socket.close() }
            _ = socket.send(request)
            return socket.receiveAll()
        }
        guard let start = HTTPText.bodyStart(answer) else {
            return Answer(status: 0, head: "", body: "")
        }
        let head = HTTPText.text(Array(answer[..<start]))
        return Answer(
            status: Int(head.dropFirst(9).prefix(3)) ?? 0,
            head: head,
            body: HTTPText.text(Array(answer[start...]))
        )
    }

    /// Reads data of the page.
    func read(_ path: String) async throws -> Answer { try await send("GET /$page/\(path)") }

    /// Does what a button does.
    func act(_ path: String, _ body: String) async throws -> Answer {
        try await send(
            "POST /$page/\(path)",
            ["Content-Type: application/json", "Origin: http://127.0.0.1:\(port)"],
            body: body
        )
    }
}
