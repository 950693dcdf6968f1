import ODataValues
public import ODataHTTP
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A transport that records what it carries as HAR 1.2, which the tools of every browser read.
///
/// Credentials are left out: header fields, cookies, query options, and the header fields of requests inside batches. The
/// bodies are recorded as they are, so a recording holds the data of the application.
public final class OfflineODataRecorder: HTTPTransport {
    /// More of a body than this is left out, with a remark.
    public static let maximumBodySize = 16 * 1024 * 1024

    private let base: any HTTPTransport
    private let output: @Sendable ([UInt8]) -> Void

    /// Records what another transport carries.
    ///
    /// - Parameters:
    ///   - base: Carries the requests.
    ///   - output: Takes each entry of the recording, a JSON object, when its answer is complete; called on any thread.
    public init(_ base: any HTTPTransport, output: @escaping @Sendable ([UInt8]) -> Void) {
        self.base = base
        self.output = output
    }

    /// What stands before the entries of a recording, which are separated by commas, and behind them.
    public static let frame: (start: [UInt8], end: [UInt8]) = (
        Array(
            #"{"log":{"version":"1.2","creator":{"name":"offline-odata","version":"1.0"},"entries":["#
                .utf8
        ), Array("\n]}}\n".utf8)
    )

    /// Whether the transport below sends bodies that are too long for memory.
    public var sendsStreamedBodies: Bool { base.sendsStreamedBodies }

    /// Sends a request by the transport below, and notes it with its answer.
    public func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        var entry = HAREntry(request)
        let start = ContinuousClock.now
        do {
            let response = try await base.send(request, options: options)
            entry.noteHead(response, after: .now - start)
            let tee = ResponseTee(entry, since: start, output: output)
            return HTTPStreamingResponse(
                status: response.status,
                headers: response.headers,
                body: tee.body(response.body)
            )
        } catch {
            entry.failure = "\(error)"
            output(entry.json())
            throw error
        }
    }
}

/// Records what is read of an answer, and writes the entry at its end, or when reading stops.
private final class ResponseTee: Sendable {
    private let state: Mutex<HAREntry?>
    private let start: ContinuousClock.Instant
    private let output: @Sendable ([UInt8]) -> Void

    init(
        _ entry: HAREntry,
        since start: ContinuousClock.Instant,
        output: @escaping @Sendable ([UInt8]) -> Void
    ) {
        state = Mutex(entry)
        self.start = start
        self.output = output
    }

    deinit { finish(failure: nil) }

    func body(_ body: HTTPBody) -> HTTPBody {
        HTTPBody { [self] in
            do {
                // Every iterator goes on where the others are.
                var iterator = body.makeAsyncIterator()
                guard let piece = try await iterator.next() else {
                    finish(failure: nil)
                    return nil
                }
                state.guarded { $0?.append(piece) }
                return piece
            } catch {
                finish(failure: "\(error)")
                throw error
            }
        }
    }

    private func finish(failure: String?) {
        let entry = state.guarded { entry in
            defer { entry = nil }
            return entry
        }
        guard var entry else { return }
        entry.failure = failure
        entry.duration = .now - start
        output(entry.json())
    }
}
