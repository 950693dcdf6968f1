import ODataProtocol
import OfflineStore

/// What became of a unit, and whether the upload must wait or end with it.
struct UnitAnswer: Sendable {
    var outcomes: [Outcome]
    /// Why nothing more is to be sent now.
    var stop: Stop?

    /// An answer that concerns the whole conversation.
    struct Stop: Sendable {
        var error: OfflineODataError
        /// What the service said about the next attempt.
        var retryAfter: String?
        /// Whether a later attempt in the same upload makes sense.
        var isTemporary: Bool
    }

    /// Whether everything in it was carried out.
    var isSuccess: Bool { stop == nil && outcomes.allSatisfy(\.isDone) }

    /// Whether the service has told what became of anything in it.
    var isKnown: Bool { !outcomes.allSatisfy(\.isLost) }

    /// Gathers outcomes; answers that concern the whole conversation end the upload.
    init(_ outcomes: [Outcome], answers: [HTTPResponse]) {
        self.outcomes = outcomes
        if answers.contains(where: { [401, 407].contains($0.status) }) {
            stop = Stop(
                error: OfflineODataError(
                    .server,
                    "the service wants other credentials; nothing was lost, call upload again with them",
                    httpStatus: 401
                ),
                isTemporary: false
            )
        } else if let busy = answers.first(where: { ServiceClient.unprocessed.contains($0.status) })
        {
            stop = Stop(
                error: Self.later(busy.status),
                retryAfter: busy.headers["Retry-After"],
                isTemporary: true
            )
        } else if let lost = answers.first(where: { [502, 503, 504].contains($0.status) }) {
            stop = Stop(error: Self.later(lost.status), isTemporary: false)
        }
    }

    private static func later(_ status: Int) -> OfflineODataError {
        OfflineODataError(
            .communication,
            "the service is busy or not reachable; call upload again later",
            httpStatus: status
        )
    }
}

/// Why a batch was refused as a whole, before any request in it was looked at.
enum RoundRefusal: Error {
    /// The service does not take batches.
    case batchNotOffered
    /// The batch is larger than the service takes.
    case batchTooLarge
    /// The service knows no batches, or one request has spoilt the whole batch.
    case batchNotUnderstood(OfflineODataError)
    /// For a reason that no other form of the batch takes away.
    case whole(OfflineODataError)
}
