import ODataHTTP
@testable import ODataClient
@testable import OfflineOData
import Synchronization
import TestSupport
import Testing

/// Bodies that are read while they are sent.
@Suite struct StreamedBodyTests {
    private static let answer = RawServer.Step.send(
        "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
    )

    /// Hands out pieces and remembers how many.
    private final class Source: Sendable {
        let pieces: [[UInt8]]
        let taken = Counter()

        init(_ pieces: [[UInt8]]) { self.pieces = pieces }

        /// The pieces as a body; its length may be said wrongly.
        func body(length: Int? = nil) -> HTTPStreamedBody {
            HTTPStreamedBody(byteCount: length ?? pieces.joined().count) { [self] in
                let number = Counter()
                return HTTPBody { [self] in
                    let index = number.next() - 1
                    guard index < pieces.count else { return nil }
                    _ = taken.next()
                    return pieces[index]
                }
            }
        }
    }

    private func request(_ server: RawServer, _ body: HTTPStreamedBody) -> HTTPRequest {
        var request = HTTPRequest(
            method: "PUT",
            url: server.root + "Photos(1)/$value",
            headers: ["Content-Type": "image/png"]
        )
        request.streamedBody = body
        return request
    }

    private func send(_ request: HTTPRequest) async throws -> HTTPStreamingResponse {
        var options = HTTPRequestOptions.patient
        options.isUnrepeatable = true
        return try await TransportKind.curl.transport().send(request, options: options)
    }

    /// Pieces of any size arrive as one body of the stated length.
    @Test(arguments: [[3], [1, 1, 1], [70_000, 5], [262_144, 262_144, 262_144, 17], [0, 4, 0]])
    func sendsThePiecesAsOneBody(sizes: [Int]) async throws {
        let pieces = sizes.enumerated().map { index, size in
            (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
        }
        let server = try RawServer([.read, Self.answer])
        defer { server.stop() }
        let answer = try await send(request(server, Source(pieces).body()))
        #expect(answer.status == 204)
        let message = try #require(server.messages.first)
        let start = try #require(HTTPText.bodyStart(message))
        let head = HTTPText.text(Array(message[..<start]))
        #expect(head.hasPrefix("PUT /Photos(1)/$value HTTP/1.1\r\n"))
        #expect(head.contains("\r\nContent-Length: \(sizes.reduce(0, +))\r\n"))
        #expect(!head.lowercased().contains("expect:"))
        // Compared as a whole: the difference of a megabyte is no help.
        let isWhole = Array(message[start...]) == Array(pieces.joined())
        #expect(isWhole, "\(message.count - start) bytes have come")
    }

    /// One piece waits in memory, however slowly the network takes it.
    @Test func readsTheNextPieceWhenOneIsUsedUp() async throws {
        let source = Source(Array(repeating: [UInt8](repeating: 7, count: 100), count: 50))
        let feed = RequestBodyFeed {}
        let feeding = Task { await feed.run(source.body().pieces()) }
        var byteCount = 0
        while byteCount < 5_000 {
            guard case .bytes(let bytes) = feed.take(upTo: 40) else {
                await Task.yield()
                continue
            }
            byteCount += bytes.count
            #expect(source.taken.count <= byteCount / 100 + 1)
        }
        await feeding.value
        guard case .bytes(let end) = feed.take(upTo: 40) else {
            Issue.record("the body has no end")
            return
        }
        #expect(end.isEmpty)
        #expect(source.taken.count == 50)
    }

    /// A service that waits for the rest of a body is not silent.
    @Test func doesNotHoldASlowBodyAgainstTheService() async throws {
        let (server, silent) = (
            try RawServer([.read, Self.answer]), try RawServer([.read, .stall])
        )
        defer {
            server.stop()
            silent.stop()
        }
        var options = HTTPRequestOptions.patient
        options.isUnrepeatable = true
        options.idleTimeout = .seconds(2)
        let body = HTTPStreamedBody(byteCount: 1) {
            let number = Counter()
            return HTTPBody {
                guard number.next() == 1 else { return nil }
                // Takes longer than a service may be silent.
                var longer = HTTPRequestOptions.patient
                longer.idleTimeout = .milliseconds(2_500)
                _ = try? await TransportKind.curl.transport().exchange(
                    "GET",
                    silent.root,
                    options: longer
                )
                return [7]
            }
        }
        let answer = try await TransportKind.curl.transport().send(
            request(server, body),
            options: options
        )
        #expect(answer.status == 204)
    }

    /// What is wanted no more is not read on.
    @Test func stopsReadingWithTheTransfer() async throws {
        let source = Source(Array(repeating: [1], count: 50))
        let feed = RequestBodyFeed {}
        feed.stop()
        await feed.run(source.body().pieces())
        #expect(source.taken.count <= 1)
    }

    @Test func tellsThatABodyBrokeOff() async throws {
        let server = try RawServer([.read, Self.answer])
        defer { server.stop() }
        let body = Source([[1, 2, 3]]).body(length: 10)
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await send(request(server, body))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.isCertainlyUnsent == false)
    }

    @Test func tellsThatABodyCannotBeRead() async throws {
        struct Unreadable: Error {}
        let server = try RawServer([.read, Self.answer])
        defer { server.stop() }
        let body = HTTPStreamedBody(byteCount: 5) { HTTPBody { throw Unreadable() } }
        await #expect(throws: HTTPTransportError(.connectionLost, "")) {
            _ = try await send(request(server, body))
        }
    }

    /// Nothing is sent a second time where a kept connection closes without an answer.
    @Test func isNotSentTwice() async throws {
        let server = try RawServer(
            [.read, Self.answer, .read],
            [.read, Self.answer]
        )
        defer { server.stop() }
        let transport = try TransportKind.curl.transport {
            $0.curl.longestRestBeforeChange = .seconds(3600)
        }
        _ = try await transport.exchange("GET", server.root)
        var options = HTTPRequestOptions.patient
        options.isUnrepeatable = true
        await #expect(throws: HTTPTransportError(.connectionLost, "")) {
            _ = try await transport.send(
                request(server, Source([[1, 2], [3]]).body()),
                options: options
            )
        }
        #expect(server.messages.count == 2)
    }
}
