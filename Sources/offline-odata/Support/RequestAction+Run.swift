import CommandSupport
import OfflineOData

extension RequestAction {
    /// Carries out an action that changes the queue, and says what was done.
    func run(
        _ provider: OfflineODataProvider,
        consent: Bool,
        isJSON: Bool,
        on terminal: Terminal
    ) async throws {
        let (sentence, ids) = try await run(provider, consent: consent)
        try AffectedReport(requests: ids).answer(sentence, isJSON: isJSON, on: terminal)
    }

    /// Carries out an action and returns a sentence about it, with the requests that it changed.
    func run(
        _ provider: OfflineODataProvider,
        consent: Bool
    ) async throws -> (sentence: String, ids: [Int64]) {
        switch self {
        case .show(let id): return ("", [id])
        case .drop(let id):
            let dropped = try await provider.dropRequest(id, includingUnknownOutcome: consent)
            return (Self.sentence(dropped), dropped)
        case .retry(let id):
            try await provider.retryRequest(id)
            return ("request \(id) was returned to the queue", [id])
        case .split(let id):
            let members = try await provider.splitTransaction(of: id)
            let list = members.map(String.init).joined(separator: ", ")
            return ("requests \(list) are sent each by itself", members)
        case .edit(let id, let body):
            try await provider.editRequest(
                id,
                body: BodyText.text(body),
                includingUnknownOutcome: consent
            )
            return ("request \(id) has a new body", [id])
        case .move(let id, let other, true):
            try await provider.moveRequest(id, before: other)
            return ("request \(id) stands before \(other)", [id])
        case .move(let id, let other, false):
            try await provider.moveRequest(id, after: other)
            return ("request \(id) stands after \(other)", [id])
        }
    }

    /// Prints which requests were removed.
    static func sentence(_ ids: [Int64]) -> String {
        guard let first = ids.first else { return "nothing was taken back" }
        guard ids.count > 1 else {
            return "request \(first) and its effect on the store are taken back"
        }
        return
            "requests \(ids.map(String.init).joined(separator: ", ")) and their effect on the store are taken back"
    }
}
