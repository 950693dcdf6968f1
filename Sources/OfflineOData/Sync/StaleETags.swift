import ODataTables
import ODataModel
import ODataProtocol
import OfflineStore

/// Reads entities whose ETag is not known any more before a further change of them is sent.
///
/// The service carried out a change from here and did not tell the new ETag. Where nobody else has changed the entity since, the ETag
/// that it has now is the one to send; else the change meets a conflict.
struct StaleETags {
    let store: LocalStore
    let client: ServiceClient
    let recording: AnswerRecording

    /// Returns the units with their ETags; those that met a conflict are recorded as refused and left out.
    func refresh(_ units: [OutgoingUnit], _ result: inout OfflineODataUploadResult) async throws
        -> [OutgoingUnit]
    {
        var refreshed: [OutgoingUnit] = []
        for unit in units {
            guard unit.requests.contains(where: \.hasStaleETag) else {
                refreshed.append(unit)
                continue
            }
            var unit = unit
            var conflict: Outcome?
            for index in unit.requests.indices where unit.requests[index].hasStaleETag {
                conflict = try await refresh(&unit.requests[index]) ?? conflict
            }
            guard let conflict else {
                refreshed.append(unit)
                continue
            }
            let outcomes = unit.requests.map { request in
                request.entry.id == conflict.request.entry.id
                    ? conflict : Outcome(request, conflict.kind)
            }
            try await recording.record([UnitAnswer(outcomes, answers: [])], &result)
        }
        return refreshed
    }

    /// Reads one entity; answers the conflict where it was changed by somebody else.
    private func refresh(_ request: inout OutgoingRequest) async throws -> Outcome? {
        let entry = request.entry
        let found = try await ServerEntity.read(entry, request.url, store, client)
        guard case .found(let body, let etag) = found else {
            // The service says itself that the entity is gone.
            request.headers["If-Match"] = "*"
            return nil
        }
        let now = etag ?? body.control[.etag]
        let isBase = try await store.file.write { [store] connection in
            let recorder = UploadRecorder(connection, try store.schema(connection))
            guard try recorder.isBase(body, of: entry) else { return false }
            try recorder.takeReadETag(now, for: entry)
            return true
        }
        guard isBase else {
            var conflict = Outcome(request, .refused(HTTPResponse(status: 412)))
            conflict.server = (body, now)
            return conflict
        }
        request.headers["If-Match"] = now ?? (client.version.isV4 ? "*" : nil)
        return nil
    }
}
