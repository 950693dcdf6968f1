import ODataValues
import Foundation
import Synchronization

/// A service that swallows the bodies it is sent, of any length, and waits with each answer until it is told to give it.
///
/// Requests without a body are answered at once.
public final class BodySink: Sendable {
    /// The port that is listened on.
    public let port: UInt16
    /// The length of each body, once it has come whole.
    public let bodies: AsyncStream<Int>

    private let told: AsyncStream<Int>.Continuation
    private let listening: TCPSocket
    private let answers: [String: String]
    private let permission = DispatchSemaphore(value: 0)
    private let connections = Mutex<[TCPSocket]>([])

    /// Listens.
    ///
    /// - Parameter answers: Status and body by the first two words of a request, `GET /$metadata`: `200 {"value":[]}`.
    public init(_ answers: [String: String]) throws {
        self.answers = answers
        (bodies, told) = AsyncStream.makeStream(of: Int.self)
        listening = try TCPSocket(listening: ())
        port = listening.port
        Thread.detachNewThread { self.acceptAll() }
    }

    /// Lets the next answer to a body go.
    public func answer() { permission.signal() }

    /// Ends all connections and listens no more.
    public func stop() {
        listening.shutDown()
        for connection in connections.guarded({ $0 }) { connection.shutDown() }
        permission.signal()
        told.finish()
    }

    private func acceptAll() {
        while let connection = listening.acceptConnection() {
            connections.guarded { $0.append(connection) }
            Thread.detachNewThread { self.serve(connection) }
        }
    }

    private func serve(_ connection: TCPSocket) {
        var rest: [UInt8] = []
        while true {
            while HTTPText.bodyStart(rest) == nil {
                let piece = connection.receive()
                if piece.isEmpty { return }
                rest += piece
            }
            guard let start = HTTPText.bodyStart(rest) else { return }
            let head = rest[..<start]
            let length = HTTPText.contentLength(head)
            guard let behind = swallow(length, after: rest[start...], connection) else { return }
            rest = behind
            if length > 0 {
                told.yield(length)
                permission.wait()
            }
            guard connection.send(answer(to: head)) else { return }
        }
    }

    /// Reads the rest of a body; answers what came behind it, nil where the connection ended before.
    private func swallow(
        _ length: Int,
        after first: ArraySlice<UInt8>,
        _ connection: TCPSocket
    ) -> [UInt8]? {
        var missing = length - first.count
        if missing <= 0 { return Array(first.dropFirst(length)) }
        while true {
            let piece = connection.receive()
            if piece.isEmpty { return nil }
            if piece.count >= missing { return Array(piece.dropFirst(missing)) }
            missing -= piece.count
        }
    }

    private func answer(to head: ArraySlice<UInt8>) -> String {
        let request = HTTPText.text(Array(head)).split(separator: " ").prefix(2)
        let text = answers[request.joined(separator: " ")] ?? "404 "
        let (status, body) = (text.prefix(3), text.dropFirst(4))
        let type = body.hasPrefix("<") ? "application/xml" : "application/json"
        return "HTTP/1.1 \(status) x\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
