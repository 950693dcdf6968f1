public import OfflineOData
import OfflineProvider
import OfflineStore
import OfflineValues

/// Changes that must not wait: sent at once, and taken back where the service has not heard of them.
extension PolicyEngine {
    /// Makes a change of the provider that must not wait.
    ///
    /// - Returns: What the function answers, and whether the service has another version.
    /// - Throws: ``OfflineODataError`` as ``create(_:options:)`` does, and what the function throws. Where it is not known whether the
    ///   service has carried the change out, the message says so, and the change stays.
    public func sendAtOnce<R: Sendable>(
        _ url: String,
        _ body: @Sendable (OfflineODataProvider) async throws -> R
    ) async throws -> (result: R, state: ResourceChange.State) {
        guard network.isOnline else { throw OfflineODataError.offline(url) }
        let made = MadeRequests()
        let result = try await make(noting: made) { try await body(provider) }
        return (result, try await send(made, of: url))
    }

    /// Uploads what waits, and says what became of requests that must not wait.
    func send(_ made: MadeRequests, of url: String) async throws -> ResourceChange.State {
        let upload: Result<OfflineODataUploadResult, any Error>
        do {
            upload = .success(try await gate.run { [provider] in try await provider.upload() })
        } catch {
            upload = .failure(error)
        }
        // Also where the call was cancelled: what was carried out is said, and what is taken back is not left half.
        return try await Task { [upload] in
            switch upload {
            case .success(let result): return try await state(of: made, url, after: result)
            case .failure(let error):
                guard try await isCarriedOut(made, of: url, despite: error) else { throw error }
                return ResourceChange.State.sent
            }
        }.value
    }

    private func state(
        of made: MadeRequests,
        _ url: String,
        after result: OfflineODataUploadResult
    ) async throws -> ResourceChange.State {
        let own = made.own.union(made.joined)
        let failed = try await provider.errorArchive().filter { own.contains($0.id) }
        if try Self.isConflict(failed, refused: Set(result.refusedRequestIDs)) { return .conflict }
        return try await isCarriedOut(made, of: url, despite: nil) ? .sent : .conflict
    }

    /// Takes back what was not sent; answers whether all is carried out.
    ///
    /// - Throws: ``OfflineODataError`` where something of it stays or may have been carried out, and where a refused change is in its way.
    private func isCarriedOut(
        _ made: MadeRequests,
        of url: String,
        despite error: (any Error)?
    ) async throws -> Bool {
        let found = try await provider.takeBackUnsent(made)
        if !found.undecided.isEmpty {
            throw OfflineODataError.unknownOutcome(of: url, after: error, isQueued: true)
        }
        if !found.needed.isEmpty { throw OfflineODataError.needed(url, error) }
        guard found.takenBack.isEmpty else {
            if error == nil { throw OfflineODataError.behindRefused(url) }
            return false
        }
        return found.refused.isEmpty
    }
}

extension OfflineODataError {
    /// Other changes were made on one that must not wait, or it has become a part of an earlier one.
    fileprivate static func needed(_ url: String, _ error: (any Error)?) -> OfflineODataError {
        let finding =
            "the change of \(url) was not sent, and waits: other changes of the entity go with it"
        guard let error = error as? OfflineODataError else {
            return OfflineODataError(.communication, finding)
        }
        return OfflineODataError(
            error.category,
            "\(error.message); \(finding)",
            httpStatus: error.httpStatus,
            code: error.code
        )
    }

    /// A refused request is before one that must not wait.
    fileprivate static func behindRefused(_ url: String) -> OfflineODataError {
        OfflineODataError(
            .preconditionFailed,
            "an earlier change of \(url), or of what it names, was refused and is in the way: decide on that one first; this change was taken back"
        )
    }
}
