import OfflineOData

extension RequestAction {
    /// Carries out an action that changes the queue, and says what was done.
    func run(
        _ provider: OfflineODataProvider,
        consent: Bool,
        _ terminal: Terminal
    ) async throws {
        switch self {
        case .show: break
        case .drop(let id):
            let dropped = try await provider.dropRequest(id, includingUnknownOutcome: consent)
            try terminal.answer(Self.sentence(dropped))
        case .retry(let id):
            try await provider.retryRequest(id)
            try terminal.answer("request \(id) waits again")
        case .split(let id):
            let members = try await provider.splitTransaction(of: id)
            let list = members.map(String.init).joined(separator: ", ")
            try terminal.answer("requests \(list) are sent each by itself")
        case .edit(let id, let body):
            try await provider.editRequest(
                id,
                body: BodyText.text(body),
                includingUnknownOutcome: consent
            )
            try terminal.answer("request \(id) has a new body")
        case .move(let id, let other, true):
            try await provider.moveRequest(id, before: other)
            try terminal.answer("request \(id) stands before \(other)")
        case .move(let id, let other, false):
            try await provider.moveRequest(id, after: other)
            try terminal.answer("request \(id) stands after \(other)")
        }
    }

    /// Tells which requests went.
    static func sentence(_ ids: [Int64]) -> String {
        guard let first = ids.first else { return "nothing was taken back" }
        guard ids.count > 1 else {
            return "request \(first) and its effect on the store are taken back"
        }
        return
            "requests \(ids.map(String.init).joined(separator: ", ")) and their effect on the store are taken back"
    }
}
