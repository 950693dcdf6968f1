import ODataClient
import StoreUpload
import StoreRecords
import ODataSQL
import ODataPayload
import ODataHTTP
import ODataTables
import OfflineStore

/// Finds out why the service refused requests for the state of what they are about: a read shows it.
///
/// The ETag that a request was sent with and the one that is read are compared as texts: the question is whether the request would
/// be accepted with the other text, and some services want theirs to the letter, with its `W/`.
///
/// Where the service has what the request was made on, only the ETag was another one: services change ETags with related
/// entities, at reads, or give different ones through different queries. Then the request is sent again with the ETag that the read
/// brought. If another client has changed the entity or the stream, both versions stay until the conflict is resolved.
struct ConflictReading {
    let store: LocalStore
    let client: ServiceClient
    let renewals: ETagRenewals

    /// What a read has shown of one request.
    private enum Finding {
        case nothing
        case missing
        /// The service has what the request would make of it.
        case isDone(etag: String?, EntityBody? = nil)
        case onlyETag(RenewedETag, EntityBody?)
        /// The service has what the request was made on, and refuses the ETag that it states.
        case refusedETag(EntityBody, etag: String?)
        case changed(EntityBody, etag: String?)
        case changedStream(ServerStream.Found)
        /// The service wants a condition with changes of links: from now on they carry one.
        case conditionWanted
        /// The entity that an operation is called on is another version by now.
        case changedCall
    }

    /// Understands the outcomes of a unit.
    func understood(_ outcomes: [Outcome]) async throws -> [Outcome] {
        var outcomes = outcomes
        var findings: [Finding] = []
        for outcome in outcomes where outcome.isDone { renewals.noteCall(outcome.request) }
        for outcome in outcomes { findings.append(try await finding(outcome)) }
        let isAlone = outcomes.count == 1
        let isRenewable = !isAlone && isRenewable(outcomes, findings: findings)
        for index in outcomes.indices {
            apply(findings[index], to: &outcomes[index], isAlone: isAlone)
        }
        guard isRenewable else { return outcomes }
        for index in outcomes.indices { outcomes[index].kind = .notProcessed(isForgotten: true) }
        return outcomes
    }

    private func apply(_ finding: Finding, to outcome: inout Outcome, isAlone: Bool) {
        guard let response = outcome.response else { return }
        let entry = outcome.request.entry
        switch finding {
        case .nothing where outcome.isBlameless, .onlyETag where outcome.isBlameless,
            .refusedETag where outcome.isBlameless:
            outcome.kind = .parked
            if case .onlyETag(let renewed, _) = finding { outcome.renewed = renewed }
        case .conditionWanted:
            guard isAlone, renewals.take(entry.id) else { return }
            outcome.kind = .notProcessed(isForgotten: true)
        case .nothing where response.status == 428: outcome.note = Self.conditionWanted
        case .nothing: break
        case .changedCall: outcome.note = Self.callWayOut
        case .missing where entry.method == "DELETE": outcome.kind = .done(response)
        case .missing: outcome.kind = .gone(response)
        case .isDone(let etag, let body):
            guard isAlone else { return }
            var headers = HTTPHeaders()
            headers["ETag"] = etag
            outcome.kind = .done(HTTPResponse(status: 204, headers: headers))
            outcome.shown = body.map { ($0, etag) }
        case .onlyETag(let renewed, let body):
            outcome.renewed = renewed
            guard isAlone else { return }
            if renewals.take(entry.id) {
                outcome.kind = .notProcessed(isForgotten: true)
            } else {
                outcome.server = body.map { ($0, renewed.etag) }
                outcome.note = Self.refusedETag
            }
        case .refusedETag(let body, let etag):
            outcome.server = (body, etag)
            outcome.note = Self.refusedETag
        case .changed(let body, let etag):
            outcome.server = (body, etag)
            if !entry.isCreation { outcome.note = Self.wayOut(of: entry) }
        case .changedStream(let found):
            outcome.serverStream = found
            let isUnknown = response.status == 428 && outcome.request.headers["If-Match"] == nil
            outcome.note = isUnknown ? Self.streamETagWanted : Self.streamWayOut
        }
    }

    /// A change set is sent again as a whole where nothing but ETags was in its way.
    private func isRenewable(_ outcomes: [Outcome], findings: [Finding]) -> Bool {
        let isOnlyETags = findings.contains {
            switch $0 {
            case .onlyETag, .conditionWanted: true
            default: false
            }
        }
        let isElse = zip(outcomes, findings).contains { outcome, finding in
            switch finding {
            case .onlyETag, .conditionWanted: false
            case .nothing where outcome.isBlameless, .refusedETag where outcome.isBlameless: false
            // The refusal of a change set stands with each of its members.
            case .nothing: outcome.isConflict && outcome.request.headers["If-Match"] != nil
            default: true
            }
        }
        let isRefused = outcomes.allSatisfy {
            if case .refused(let response) = $0.kind {
                [412, 428].contains(response.status)
            } else {
                false
            }
        }
        guard isOnlyETags, !isElse, isRefused else { return false }
        return outcomes.allSatisfy { renewals.take($0.request.entry.id) }
    }

    /// What a person can do about a change that meets another version; with a deletion nothing can be merged.
    ///
    /// - Parameter url: The entity with the other version, where the request is about another.
    static func wayOut(of entry: QueueEntry, at url: String? = nil) -> String {
        (url ?? "the entity") + " was changed at the service since: resolve "
            + (url == nil ? "the" : "its") + " conflict with the local version"
            + (entry.isDeletion
                ? " or the service's" : ", the service's version or a merge of both")
    }

    static let streamWayOut =
        "the stream was changed at the service since: resolve the conflict of its entity with the local version or the service's version"

    private static let callWayOut =
        "the entity that the operation is called on was changed at the service since: download it, then try the request again"
    private static let streamETagWanted =
        "the service wants an ETag for the change, and none is known of the stream that was here: look at the service's version and resolve the conflict of its entity with the local version or the service's version"
    private static let conditionWanted =
        "the service wants an ETag, and none is known for this request: download the entity and try the request again, or give the request an If-Match field"
    private static let refusedETag =
        "the service has the version that was changed here, and refuses the change all the same: correct the request, try it again, or resolve the conflict;"
        + " where another member of its transaction makes the service change the entity, split the transaction"

    // MARK: Reading

    private func finding(_ outcome: Outcome) async throws -> Finding {
        // Where the service cannot be read, the refusal stands as it is.
        try await ServerEntity.ifReadable { try await look(outcome) } ?? .nothing
    }

    private func look(_ outcome: Outcome) async throws -> Finding {
        let request = outcome.request
        if outcome.isAboutCalledETag { return try await callFinding(request) }
        if outcome.isLinkWithoutCondition {
            try await store.file.write { try LinkCondition.setWanted($0) }
            return .conditionWanted
        }
        if request.entry.isLinkChange, request.entry.method == "DELETE",
            outcome.response?.status == 404, !outcome.isDone
        {
            let look = LinkLook(store: store, client: client, budget: client.budget())
            return try await look.isGone(request) ? .missing : .nothing
        }
        guard outcome.isConflict, outcome.server == nil, outcome.serverStream == nil else {
            return .nothing
        }
        return request.entry.isOnStream
            ? try await streamFinding(request) : try await entityFinding(outcome)
    }

    private func callFinding(_ request: OutgoingRequest) async throws -> Finding {
        let entry = request.entry
        let called = try await store.file.read { [store] connection in
            try CalledEntity(connection, schema: store.schema(connection)).reference(of: entry)
        }
        guard let called, let link = CalledEntity.link(in: request.url), !link.hasPrefix("$"),
            case .found(let body, let etag) = try await ServerEntity.read(
                called.source,
                url: link,
                in: store,
                through: client
            ),
            let now = etag ?? body.control[.etag], now != request.headers["If-Match"]
        else { return .nothing }
        let renewed = Finding.onlyETag(RenewedETag(etag: now), nil)
        // What an own call has changed besides is no reason against the next one.
        if renewals.hasCalled(entityOf: request) { return renewed }
        let isUnchanged = try await store.file.read { [store] connection in
            try CalledEntity(connection, schema: store.schema(connection))
                .isUnchanged(called, body: body, etag: now)
        }
        return isUnchanged ? renewed : .changedCall
    }

    private func entityFinding(_ outcome: Outcome) async throws -> Finding {
        let request = outcome.request
        let entry = request.entry
        guard
            let url = try await ServerEntity.url(
                of: entry,
                sentTo: request.url,
                in: store,
                through: client
            )
        else { return .nothing }
        guard
            case .found(let body, let etag) = try await ServerEntity.read(
                entry,
                url: url,
                in: store,
                through: client
            )
        else { return entry.isCreation ? .nothing : .missing }
        if entry.isCreation { return .changed(body, etag: etag) }
        let now = etag ?? body.control[.etag]
        let (standing, isWhole, isShown) = try await store.file.read { [store] connection in
            let recorder = UploadRecorder(connection, schema: try store.schema(connection))
            return try (
                recorder.standing(of: body, for: entry), recorder.changesOnlyValues(entry),
                recorder.isShownWhole(entry)
            )
        }
        switch standing {
        case .asSent where isWhole: return .isDone(etag: now, body)
        case .asSent, .base:
            // Some other rule of the service than its versions stands against the request.
            let sent = request.headers["If-Match"]
            let hasVersions = now != nil || sent != nil && sent != "*"
            if !hasVersions || outcome.response?.status == 409 && now == sent { return .nothing }
            // Another client may have changed what the read does not show.
            guard isShown else { return .changed(body, etag: now) }
            if now != request.headers["If-Match"] {
                return .onlyETag(RenewedETag(etag: now), body)
            }
            return .refusedETag(body, etag: now)
        case .other: return .changed(body, etag: etag)
        }
    }

    private func streamFinding(_ request: OutgoingRequest) async throws -> Finding {
        let entry = request.entry
        let found = try await ServerStream(store: store, client: client)
            .read(entry, sentTo: request.url)
        switch found {
        case .missing: return entry.method == "DELETE" ? .missing : .changedStream(found)
        case .other: return .changedStream(found)
        case .known(.asSent, let etag) where entry.method == "PUT": return .isDone(etag: etag)
        case .known(_, let etag):
            if let etag, etag != request.headers["If-Match"] {
                return .onlyETag(RenewedETag(etag: etag), nil)
            }
            return try await entityETag(request)
        }
    }

    /// What the entity says of its stream; some services guard the streams of an entity by the entity's own ETag.
    private func entityETag(_ request: OutgoingRequest) async throws -> Finding {
        let parent = request.url.lastIndex(of: "/").map { String(request.url[..<$0]) }
        guard let owner = request.streamOwner ?? parent,
            case .found(let body, let etag) = try await ServerEntity.read(
                request.entry,
                url: owner,
                in: store,
                through: client
            ),
            let now = [Self.mediaETag(of: request.entry, in: body), etag ?? body.control[.etag]]
                .compactMap({ $0 }).first(where: { $0 != request.headers["If-Match"] })
        else { return .nothing }
        return .onlyETag(RenewedETag(etag: now), nil)
    }

    private static func mediaETag(of entry: QueueEntry, in body: EntityBody) -> String? {
        guard let property = entry.streamProperty else { return nil }
        return property.isEmpty ? body.control[.mediaETag] : body.streamETags[property]
    }
}
