import ODataAnswers
import ODataHTTP

/// Recognises requests that are sent again and answers them as the first time (OASIS Repeatable Requests 1.0).
///
/// The unit is one request, or one change set whose members carry the same id.
actor RepeatedRequests: RequestRepeating {
    private enum Entry {
        /// The first sending is being carried out; these wait for its answer.
        case running(fingerprint: UInt64, waiting: [CheckedContinuation<Void, Never>])
        case answered(fingerprint: UInt64, [BatchResponsePart])
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    /// Answers that are remembered; the oldest are forgotten first.
    private static let maximumEntries = 10_000
    /// What outlives the process; nil where the data does not, either.
    private let memory: RequestMemory?

    init(_ memory: RequestMemory? = nil) {
        self.memory = memory
    }

    /// Returns the answers of the first sending, or carries the requests out.
    func answer(
        to requests: [HTTPRequest],
        carryOut: @Sendable () async -> [BatchResponsePart]
    ) async -> [BatchResponsePart] {
        let ids = Set(requests.compactMap { $0.headers["Repeatability-Request-ID"] })
        guard let id = ids.first else { return await carryOut() }
        guard ids.count == 1,
            requests.allSatisfy({ $0.headers["Repeatability-Request-ID"] == id })
        else {
            return [Self.rejected(400, "the members of a change set carry different request ids")]
        }
        guard
            requests.allSatisfy({
                $0.headers["Repeatability-First-Sent"].flatMap { HTTPDate($0) } != nil
            })
        else { return [Self.rejected(400, "Repeatability-First-Sent is missing or no date")] }
        let fingerprint = Self.fingerprint(requests)
        while let entry = entries[id] {
            switch entry {
            case .answered(fingerprint, let parts): return parts
            case .running(fingerprint, var waiting):
                await withCheckedContinuation { continuation in
                    waiting.append(continuation)
                    entries[id] = .running(fingerprint: fingerprint, waiting: waiting)
                }
            default: return [Self.rejected(412, "the request id belongs to another request")]
            }
        }
        entries[id] = .running(fingerprint: fingerprint, waiting: [])
        if let former = await former(id, fingerprint) {
            // The file says the same the next time, also to the request that the id belongs to.
            release(id)
            return former
        }
        let parts = await carried(id, carryOut())
        finish(id, fingerprint: fingerprint, parts: parts)
        return parts
    }

    /// The answer of a request that an earlier process has begun; nil where this one is the first to see it.
    private func former(_ id: String, _ fingerprint: UInt64) async -> [BatchResponsePart]? {
        do {
            guard let memory else { return nil }
            switch try await memory.begin(id, fingerprint: fingerprint) {
            case .new: return nil
            case .answered(let parts): return parts
            case .other: return [Self.rejected(412, "the request id belongs to another request")]
            case .begun:
                let message =
                    "whether the request was carried out is not known: the service ended meanwhile"
                return [Self.rejected(412, message)]
            }
        } catch {
            return [Self.rejected(500, "the request cannot be remembered, and was not carried out")]
        }
    }

    private func carried(_ id: String, _ parts: [BatchResponsePart]) async -> [BatchResponsePart] {
        let parts = Self.accepted(parts)
        // Without its answer the request counts as begun.
        try? await memory?.finish(id, parts)
        return parts
    }

    private func finish(_ id: String, fingerprint: UInt64, parts: [BatchResponsePart]) {
        release(id)
        entries[id] = .answered(fingerprint: fingerprint, parts)
        order.append(id)
        if order.count > Self.maximumEntries { entries[order.removeFirst()] = nil }
    }

    /// Lets those go on that wait for the request.
    private func release(_ id: String) {
        if case .running(_, let waiting)? = entries[id] {
            for continuation in waiting { continuation.resume() }
        }
        entries[id] = nil
    }

    private static func accepted(_ parts: [BatchResponsePart]) -> [BatchResponsePart] {
        parts.map { part in
            var part = part
            part.response.headers["Repeatability-Result"] = "accepted"
            return part
        }
    }

    private static func rejected(_ status: Int, _ message: String) -> BatchResponsePart {
        BatchResponsePart(
            response: ServiceError(status, message, headers: ["Repeatability-Result": "rejected"])
                .response()
        )
    }

    private static func fingerprint(_ requests: [HTTPRequest]) -> UInt64 {
        requests.reduce(0) { sum, request in
            sum &* 31 &+ TokenSeal.sum(request.body, request: request.method + " " + request.url)
        }
    }
}
