import OfflineValues
import StoreUpload
import StoreRecords
import ODataClient
package import ODataHTTP

/// What became of a unit, and whether the upload must wait or end with it.
package struct UnitAnswer: Sendable {
    var outcomes: [Outcome]
    /// Why nothing more is to be sent now.
    package var stop: Stop?

    /// An answer that concerns the whole conversation.
    package struct Stop: Sendable {
        var error: OfflineODataError
        /// What the service said about the next attempt.
        var retryAfter: String?
        /// Whether a later attempt in the same upload makes sense.
        var isTemporary: Bool
    }

    /// Whether everything in it was carried out.
    var isSuccess: Bool { stop == nil && outcomes.allSatisfy(\.isDone) }

    /// Whether it is known of each request what became of it, and nothing keeps others from being sent.
    var isSettled: Bool { stop == nil && outcomes.allSatisfy(\.isSettled) }

    /// Whether the outcomes of all its requests are known.
    var isKnown: Bool { !outcomes.contains(where: \.isLost) }

    /// Gathers outcomes; answers that concern the whole conversation end the upload.
    ///
    /// - Parameter request: What was answered, for messages.
    package init(_ outcomes: [Outcome], answers: [HTTPResponse], to request: String? = nil) {
        self.outcomes = outcomes
        let request = request ?? outcomes.first?.request.title ?? "a change"
        stop = answers.lazy.compactMap { Self.stop($0, to: request) }.first
    }

    /// Why a unit has no answer.
    enum Loss {
        /// The answer to its batch has none for it, or none that can be matched to it.
        case noAnswer
        /// The service, or a gateway, answered with an error that does not say what became of it.
        ///
        /// - Parameter request: What was answered, for messages.
        case failure(HTTPResponse, to: String)
        /// No answer came that could be read.
        case unreadable(OfflineODataError)
    }

    /// What is known of a unit whose answer was lost: nothing.
    init(lost unit: OutgoingUnit, _ loss: Loss) {
        outcomes = unit.requests.map { Outcome($0, kind: .lost) }
        switch loss {
        case .noAnswer: break
        case .failure(let response, let request):
            for index in outcomes.indices { outcomes[index].failure = response }
            stop = Self.stop(response, to: request)
        case .unreadable(let error): stop = Stop(error: error, isTemporary: false)
        }
    }

    /// What is known of a unit that the service does not take once more in the form that it was sent in.
    init(unrecognised unit: OutgoingUnit) {
        self.init(lost: unit, .noAnswer)
        for index in outcomes.indices { outcomes[index].isUnrecognised = true }
    }

    /// What is known of a unit that the service cannot have carried out in the form that it was sent in.
    init(unprocessed unit: OutgoingUnit) {
        outcomes = unit.requests.map { Outcome($0, kind: .notProcessed(isForgotten: true)) }
    }

    /// Why nothing more is to be sent after an answer; nil where it concerns its own request only.
    private static func stop(_ response: HTTPResponse, to request: String) -> Stop? {
        switch response.status {
        case 401, 407:
            Stop(
                error: OfflineODataError(
                    .server,
                    "the service wants other credentials; nothing was lost, call upload again with them",
                    httpStatus: 401
                ),
                isTemporary: false
            )
        case 403 where response.isTokenWanted:
            Stop(error: tokenRefused, isTemporary: false)
        case 301, 302, 307, 308:
            Stop(
                error: OfflineODataError(
                    .server,
                    "the service answered \(response.status) to a change: it has moved to "
                        + (response.headers["Location"] ?? "another place")
                        + ", and a change is not sent on; ask for the address that the service has now",
                    httpStatus: response.status
                ),
                isTemporary: false
            )
        case 502, 503, 504: Stop(error: later(response, to: request), isTemporary: false)
        default:
            ServiceClient.unprocessed.contains(response.status)
                ? Stop(
                    error: later(response, to: request),
                    retryAfter: response.headers["Retry-After"],
                    isTemporary: true
                ) : nil
        }
    }

    /// The error where the service goes on asking for a token.
    static let tokenRefused = OfflineODataError(
        .server,
        "the service wants an X-CSRF-Token and accepts none that it gives; nothing was lost",
        httpStatus: 403
    )

    /// The error of a service that is busy or not reachable for a while.
    static func later(_ response: HTTPResponse, to request: String) -> OfflineODataError {
        let wait = response.headers["Retry-After"].map { " (Retry-After: \($0))" } ?? ""
        let isUnprocessed =
            ServiceClient.unprocessed.contains(response.status)
            || response.status == 503 && response.saysWhenToRetry
        let consequence =
            isUnprocessed
            ? "nothing of it was carried out; call upload again later"
            : "whether it was carried out is not known; the next upload looks for its effect"
        return OfflineODataError(
            .communication,
            "the service answered \(response.status)\(wait) to \(request): it is busy or not reachable; \(consequence)",
            httpStatus: response.status
        )
    }
}

extension OutgoingRequest {
    /// Method and URL, for messages.
    var title: String { "\(entry.method) \(url)" }
}

/// Why a batch was refused as a whole, before any request in it was looked at.
enum RoundRefusal: Error {
    /// The service does not take batches.
    case batchNotOffered(OfflineODataError)
    /// The service does not take batches in this format; what version it answered in.
    case formatNotTaken(OfflineODataError, serviceVersion: String?)
    /// The batch is larger than the service takes.
    case batchTooLarge(OfflineODataError)
    /// The service knows no batches, or one request has spoilt the whole batch.
    case batchNotUnderstood(OfflineODataError)
    /// For a reason that no other form of the batch takes away.
    case whole(OfflineODataError)
}

extension RoundRefusal {
    /// What the service said.
    var error: OfflineODataError {
        switch self {
        case .batchNotOffered(let error), .formatNotTaken(let error, _),
            .batchTooLarge(let error), .batchNotUnderstood(let error), .whole(let error):
            error
        }
    }

    /// Whether the service carries out no batch, nor has carried out one that was lost before (RFC 9110 §§ 15.5.6, 15.6.2); "not found"
    /// may be said for a service that is not there now.
    var saysThatBatchesAreUnknown: Bool {
        guard case .batchNotOffered(let error) = self else { return false }
        return [405, 501].contains(error.httpStatus)
    }

    /// Whether another form than this batch may be taken.
    var concernsBatch: Bool {
        if case .whole = self { false } else { true }
    }
}
