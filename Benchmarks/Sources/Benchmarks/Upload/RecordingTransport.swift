import ODataProtocol
import OfflineOData
import Synchronization

/// A batch as it was sent.
struct RecordedBatch: Sendable {
    var headers: [(name: String, value: String)]
    var body: [UInt8]
}

/// Carries requests by libcurl and keeps what was posted.
final class RecordingTransport: HTTPTransport {
    private let inner = CurlTransport()
    private let kept = Mutex<[RecordedBatch]>([])

    /// What was posted to `$batch`, in its order.
    var batches: [RecordedBatch] { kept.withLock { $0 } }

    func send(
        _ request: HTTPRequest,
        options: HTTPRequestOptions
    ) async throws -> HTTPStreamingResponse {
        if request.method == "POST", request.url.hasSuffix("$batch") {
            let batch = RecordedBatch(
                headers: request.headers.fields.map { ($0.name, $0.value) },
                body: request.body
            )
            kept.withLock { $0.append(batch) }
        }
        return try await inner.send(request, options: options)
    }
}
