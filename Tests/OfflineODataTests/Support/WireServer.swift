import Dispatch
import Foundation
import ODataHTTP
import Synchronization
import TestSupport

/// Puts the requests of a transport in this process on a socket: what happens to one there happens to its bytes here.
///
/// One request for each connection. A request that is lost ends its connection without a byte of an answer; a body that is cut ends it
/// in the middle of a chunk.
final class WireServer: Sendable {
    /// The port that is listened on.
    let port: UInt16
    private let listening: TCPSocket
    private let handler: HandlerTransport
    private let root: String
    private let isStopped = Mutex(false)

    /// - Parameters:
    ///   - handler: Answers the requests, or fails.
    ///   - root: The service's root as the handler knows it.
    init(_ handler: HandlerTransport, root: String) throws {
        (self.handler, self.root) = (handler, root)
        listening = try TCPSocket(listening: ())
        port = listening.port
        Thread.detachNewThread { self.acceptAll() }
    }

    /// Listens no more.
    func stop() {
        isStopped.withLock { isStopped in
            guard !isStopped else { return }
            isStopped = true
            listening.shutDown()
        }
    }

    private func acceptAll() {
        while let connection = listening.acceptConnection() {
            Thread.detachNewThread { self.serve(connection) }
        }
        isStopped.withLock { isStopped in
            isStopped = true
            listening.close()
        }
    }

    private func serve(_ connection: TCPSocket) {
        defer { connection.close() }
        guard let request = Self.request(connection.receiveMessage()) else { return }
        let end = DispatchSemaphore(value: 0)
        Task {
            await answer(request, connection)
            end.signal()
        }
        end.wait()
    }

    private static func request(_ message: [UInt8]) -> HTTPRequest? {
        guard let start = HTTPText.bodyStart(message) else { return nil }
        let lines = HTTPText.text(Array(message[..<start])).components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        guard words.count == 3 else { return nil }
        var request = HTTPRequest(method: words[0], url: words[1], body: Array(message[start...]))
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            request.headers.add(String(line[..<colon]), String(value))
        }
        return request
    }

    private func answer(_ request: HTTPRequest, _ connection: TCPSocket) async {
        var request = request
        request.url = root + request.url.drop { $0 == "/" }
        guard let response = try? await handler.send(request, options: HTTPRequestOptions()) else {
            return
        }
        connection.send(Self.head(response))
        guard ![204, 304].contains(response.status) else { return }
        do {
            for try await piece in response.body where !piece.isEmpty {
                connection.send("\(String(piece.count, radix: 16))\r\n")
                connection.send(piece + [0x0D, 0x0A])
            }
            connection.send("0\r\n\r\n")
        } catch {
            connection.send("10\r\n{")
        }
    }

    private static func head(_ response: HTTPStreamingResponse) -> String {
        var text = "HTTP/1.1 \(response.status) \r\nConnection: close\r\n"
        if ![204, 304].contains(response.status) { text += "Transfer-Encoding: chunked\r\n" }
        let framing: Set = ["content-length", "transfer-encoding", "connection"]
        for field in response.headers.fields where !framing.contains(field.name.lowercased()) {
            text += "\(field.name): \(field.value)\r\n"
        }
        return text + "\r\n"
    }
}
