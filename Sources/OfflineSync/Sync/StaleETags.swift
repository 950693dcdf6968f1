import ODataClient
import StoreUpload
import OfflineValues
import StoreRecords
import ODataTables
import ODataModel
import ODataPayload
import ODataHTTP
import OfflineStore

/// Reads entities whose ETag is not known any more before a further change of them is sent.
///
/// The service carried out a change from here without returning the new ETag. If no other client has changed the entity since, the ETag
/// that it has now is the one to send; else the change meets a conflict. What has moved besides may be the service's own doing, a
/// count of versions for example: an update that does not write over it goes on.
struct StaleETags {
    let store: LocalStore
    let client: ServiceClient
    let recording: AnswerRecording

    /// Returns the units with their ETags; those that met a conflict are recorded as refused and left out, those of which a read has
    /// failed at the service wait for the next upload.
    func refresh(_ units: [OutgoingUnit], into result: inout OfflineODataUploadResult) async throws
        -> [OutgoingUnit]
    {
        var refreshed: [OutgoingUnit] = []
        for unit in units {
            var unit = unit
            var conflict: Outcome?
            for index in unit.requests.indices where unit.requests[index].hasStaleETag {
                conflict = try await refresh(&unit.requests[index]) ?? conflict
            }
            guard let conflict else {
                refreshed.append(unit)
                continue
            }
            if case .parked = conflict.kind {
                try await park(unit, failed: conflict)
                continue
            }
            let outcomes = unit.requests.map { request in
                request.entry.id == conflict.request.entry.id
                    ? conflict : Outcome(request, kind: conflict.kind)
            }
            try await recording.record([UnitAnswer(outcomes, answers: [])], into: &result)
        }
        return refreshed
    }

    private func park(_ unit: OutgoingUnit, failed: Outcome) async throws {
        let ids = unit.requests.map(\.entry.id)
        let reason = UnsendableRequest(
            request: failed.request.entry.id,
            message: failed.note ?? "",
            code: "UnknownETag"
        )
        try await store.file.write { try RequestQueue($0).park(ids, because: reason) }
    }

    /// Reads one entity or stream; returns the refusal if another client has changed it, or if it cannot be read.
    private func refresh(_ request: inout OutgoingRequest) async throws -> Outcome? {
        if request.isInConflict {
            let note = ConflictReading.wayOut(of: request.entry, at: request.conflictURL)
            return refused(request, note: note)
        }
        do {
            return request.entry.isOnStream
                ? try await refreshStream(&request) : try await refreshEntity(&request)
        } catch let error as OfflineODataError where Self.isAboutTheRequest(error) {
            let status = error.httpStatus ?? 500
            // A failure says nothing of what the service offers.
            guard !request.isETagUnstated || status >= 500 && status != 501 else {
                return try await goWithout(request)
            }
            return unreadable(request, status: status, message: error.message)
        } catch let error as PayloadError {
            return unreadable(request, status: 500, message: "\(error)")
        }
    }

    /// A service that does not show single entities states no ETags there.
    private func goWithout(_ request: OutgoingRequest) async throws -> Outcome? {
        let entry = request.entry
        try await store.file.write { [store] connection in
            try UnstatedETags(connection, schema: store.schema(connection)).noteNone(for: entry)
        }
        return nil
    }

    private func refreshEntity(_ request: inout OutgoingRequest) async throws -> Outcome? {
        let entry = request.entry
        // One entity has said it for all of its type, perhaps a moment ago.
        if request.isETagUnstated, try await hasNone(entry) { return nil }
        let found = try await ServerEntity.read(entry, url: request.url, in: store, through: client)
        guard case .found(let body, let etag) = found else {
            // The service says itself that the entity is gone. Where it was seen without it before, nothing is sent that might create it
            // anew (OData 4.01 Part 1 § 11.4.4); else it may only not show single entities.
            guard entry.method == "DELETE" || !request.isSeenGone else {
                var gone = Outcome(request, kind: .gone(HTTPResponse(status: 404)))
                gone.isUnsent = true
                return gone
            }
            request.headers["If-Match"] = "*"
            return nil
        }
        let now = etag ?? body.control[.etag]
        let standing = try await store.file.write { [store] connection in
            let recorder = UploadRecorder(connection, schema: try store.schema(connection))
            // Without an ETag in its answer, a change from here may have moved what the service keeps itself.
            let standing = try recorder.standing(
                of: body,
                for: entry,
                mayBeOwnWork: true,
                statesNoETag: now == nil
            )
            if standing != .other { try recorder.takeReadETag(now, for: entry) }
            if now == nil {
                try UnstatedETags(connection, schema: store.schema(connection)).noteNone(for: entry)
            }
            return standing
        }
        guard standing != .other else {
            var conflict = refused(request, note: ConflictReading.wayOut(of: entry))
            conflict.server = (body, now)
            return conflict
        }
        request.headers["If-Match"] = now ?? (client.version.isV4 ? "*" : nil)
        return nil
    }

    private func hasNone(_ entry: QueueEntry) async throws -> Bool {
        try await store.file.read { [store] connection in
            try UnstatedETags(connection, schema: store.schema(connection)).areNone(for: entry)
        }
    }

    private func refreshStream(_ request: inout OutgoingRequest) async throws -> Outcome? {
        let found = try await ServerStream(store: store, client: client)
            .read(request.entry, sentTo: request.url)
        var now: String?
        switch found {
        case .missing: break
        case .known(_, let etag): now = etag
        case .other:
            var conflict = refused(request, note: ConflictReading.streamWayOut)
            conflict.serverStream = found
            return conflict
        }
        let (entry, etag) = (request.entry, now)
        try await store.file.write { [store] connection in
            try UploadRecorder(connection, schema: store.schema(connection))
                .takeReadStreamETag(etag, for: entry)
        }
        request.headers["If-Match"] = now
        return nil
    }

    // MARK: Refusals

    private func refused(_ request: OutgoingRequest, note: String) -> Outcome {
        var outcome = Outcome(request, kind: .refused(HTTPResponse(status: 412)))
        outcome.isUnsent = true
        outcome.note = note
        return outcome
    }

    /// Whether a read failed for what it asked for; another error concerns every request.
    private static func isAboutTheRequest(_ error: OfflineODataError) -> Bool {
        guard let status = error.httpStatus else { return false }
        let general = [401, 407, 408, 421, 425, 429, 502, 503, 504]
        return (400..<600).contains(status) && !general.contains(status)
    }

    /// A refused read refuses the change; where the service itself has failed, the change has not been judged and waits.
    private func unreadable(_ request: OutgoingRequest, status: Int, message: String) -> Outcome {
        let isJudged = (400..<500).contains(status) && status != 409
        let kind = isJudged ? Outcome.Kind.refused(HTTPResponse(status: status)) : .parked
        var outcome = Outcome(request, kind: kind)
        outcome.note =
            "the change was not sent: its ETag is not known any more, and reading it failed (\(message)); "
            + (isJudged ? "retry it later" : "the next upload tries again")
        return outcome
    }
}
