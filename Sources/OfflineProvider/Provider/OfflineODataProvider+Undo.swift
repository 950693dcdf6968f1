public import OfflineValues
import StoreRecords
import ODataTables
package import OfflineStore

// MARK: - Undo

/// Taking back local changes that have not been carried out, whatever state they are in.
///
/// A request that is being sent cannot be taken back; one whose outcome is not known only with explicit consent, since the service may
/// have carried it out.
extension OfflineODataProvider {
    /// Takes back the unsent changes of entities, named by their read links or other URLs; answers how many requests went.
    ///
    /// What was to take effect together is taken back together: the other members of a transaction go too. Created entities go with
    /// what depends on them, changed ones are as before the first change or as the service has them by now,
    /// deleted ones come back with their links.
    ///
    /// - Throws: ``OfflineODataError``; nothing is taken back then.
    @discardableResult
    public func undoPendingChanges(
        _ urls: String...,
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) -> Int {
        try await undoPendingChanges(urls: urls, includingUnknownOutcome: includingUnknownOutcome)
    }

    /// Takes back the unsent changes of entities, named by a list of URLs; answers how many requests went.
    @discardableResult
    public func undoPendingChanges(
        urls: [String],
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) -> Int {
        try await edit(
            "undo",
            fields: { [("entities", .count(urls.count)), ("requests", .count($0))] }
        ) {
            try $0.noting(Self.takenBack) {
                try $0.undo(urls, consent: Self.consent(includingUnknownOutcome))
            }.count
        }
    }

    /// Takes back the unsent changes of an entity; answers how many requests went.
    @discardableResult
    public func undoPendingChanges(
        of entity: EntityValue,
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) -> Int {
        try await undoPendingChanges([entity], includingUnknownOutcome: includingUnknownOutcome)
    }

    /// Takes back the unsent changes of entities, those of all or of none; answers how many requests went.
    @discardableResult
    public func undoPendingChanges(
        _ entities: [EntityValue],
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) -> Int {
        let consent = Self.consent(includingUnknownOutcome)
        return try await edit(
            "undo",
            fields: { [("entities", .count(entities.count)), ("requests", .count($0))] }
        ) { [store] editor in
            let schema = try store.schema(editor.connection)
            let writing = StoreTransaction(
                editor.connection,
                schema: schema,
                options: ChangeOptions()
            )
            let links = try entities.map { try LocalWork(writing: writing).link(of: $0) }
            return try editor.noting(Self.takenBack) {
                try $0.undo(links, consent: consent)
            }.count
        }
    }

    /// Takes back every unsent change; answers how many requests went.
    @discardableResult
    public func undoAllPendingChanges(includingUnknownOutcome: Bool = false)
        async throws(OfflineODataError) -> Int
    {
        try await edit("undo", fields: { [("requests", .count($0))] }) {
            try $0.noting(Self.takenBack) {
                try $0.undoAll(Self.consent(includingUnknownOutcome))
            }.count
        }
    }
}

// MARK: - Single requests

extension OfflineODataProvider {
    /// Takes a request out of the queue or the archive, with those that depend on it, with the other members of its transaction and
    /// with their effect on the store; see ``splitTransaction(of:)`` for keeping the others.
    ///
    /// Answers the ids of the requests that went.
    @discardableResult
    public func dropRequest(
        _ id: Int64,
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) -> [Int64] {
        try await edit("request.dropped", request: id, fields: Self.count) {
            try $0.noting(Self.takenBack) {
                try $0.drop([id], consent: Self.consent(includingUnknownOutcome))
            }.map(\.id)
        }
    }

    /// Takes requests that must not wait back, as far as none of them was sent; answers what became of each.
    package func takeBackUnsent(_ made: MadeRequests) async throws(OfflineODataError)
        -> UnwaitingRequests
    {
        try await edit("request.dropped", fields: { Self.count(Array($0.takenBack)) }) {
            try $0.takeBackUnsent(made)
        }
    }

    /// Takes a refused request back, with those that depend on it and with their effect on the store.
    ///
    /// Answers the ids of the requests that went.
    @discardableResult
    public func discardError(_ id: Int64) async throws(OfflineODataError) -> [Int64] {
        try await edit("error.discarded", request: id, fields: Self.count) {
            try $0.noting(Self.takenBack) { try $0.discardError(id) }.map(\.id)
        }
    }

    /// Takes every refused request back; answers the ids of the requests that went.
    @discardableResult
    public func discardAllErrors() async throws(OfflineODataError) -> [Int64] {
        try await edit("error.discarded", fields: Self.count) {
            try $0.noting(Self.takenBack) { try $0.discardAllErrors() }.map(\.id)
        }
    }

    /// Lets a refused request, or one whose outcome is not known, be sent again, with those that wait for it.
    ///
    /// Where the service has another version of the entity (412), it will be refused again: see ``resolveConflict(_:with:includingUnknownOutcome:)``.
    public func retryRequest(_ id: Int64) async throws(OfflineODataError) {
        try await edit("request.retried", request: id) {
            try $0.noting("to be sent again", of: id) { try $0.retry(id) }
        }
    }

    /// Dissolves the transaction of a request: its members, refused ones too, wait to be sent each by itself.
    ///
    /// This is what can be done about a transaction that the service cannot carry out as one, besides taking it back. Answers the ids
    /// of its members.
    @discardableResult
    public func splitTransaction(of id: Int64) async throws(OfflineODataError) -> [Int64] {
        try await edit("transaction.split", request: id, fields: Self.count) {
            try $0.noting("each by itself") { try $0.split(id) }.map(\.id)
        }
    }

    /// Replaces the body of a waiting or refused request (OData JSON); the entity in the store follows.
    ///
    /// - Throws: ``OfflineODataError``, `quotaExceeded` where the store has no room for the body; nothing is changed then.
    public func editRequest(
        _ id: Int64,
        body: String,
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) {
        let consent = Self.consent(includingUnknownOutcome)
        try await edit("request.edited", request: id) { [store] editor in
            try store.withinRoom(editor) {
                try editor.noting("edited", of: id) {
                    try $0.edit(id, body: Array(body.utf8), consent: consent)
                }
            }
        }
    }

    /// Replaces the body of a waiting or refused request by these values; the entity in the store follows.
    ///
    /// - Throws: ``OfflineODataError``, `quotaExceeded` where the store has no room for the body; nothing is changed then.
    public func editRequest(
        _ id: Int64,
        values: [String: ODataValue],
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) {
        try await editRequest(
            id,
            body: ODataValue(values).json,
            includingUnknownOutcome: includingUnknownOutcome
        )
    }

    /// Moves a request before another, as far as nothing comes before what it depends on.
    public func moveRequest(_ id: Int64, before other: Int64) async throws(OfflineODataError) {
        try await edit("request.moved", request: id) { try $0.move(id, to: .before(other)) }
    }

    /// Moves a request behind another, as far as nothing comes before what it depends on.
    public func moveRequest(_ id: Int64, after other: Int64) async throws(OfflineODataError) {
        try await edit("request.moved", request: id) { try $0.move(id, to: .after(other)) }
    }

    /// Identifies an entity created here with one of the service, where the service has not returned its key.
    ///
    /// Requests that name the entity wait until its key is known. Where the service has answered without the key, the next download
    /// finds the entity by its values; where these are not what was sent, this call does. Of a creation whose answer was lost, a
    /// download shows both entities until this call.
    ///
    /// - Parameters:
    ///   - url: The entity in the store, e.g. `Orders($local='…')`.
    ///   - serviceURL: The entity at the service, e.g. `Orders(77)`.
    public func identifyEntity(_ url: String, as serviceURL: String) async throws(OfflineODataError)
    {
        try await edit("entity.identified") { editor in
            try editor.identify(url, as: serviceURL)
            try editor.noteIdentity(of: url, as: serviceURL)
        }
    }

    /// Ends the conflict of an entity between its local version and the service's newer one.
    ///
    /// - Throws: ``OfflineODataError`` where the store knows no newer version, or the change is being sent; `quotaExceeded` where the
    ///   store has no room for what is to be sent, such as an entity that is created anew. The conflict stays as it is then.
    public func resolveConflict(
        _ url: String,
        with side: OfflineODataConflictSide,
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) {
        let consent = Self.consent(includingUnknownOutcome)
        let (side, name): (QueueEditor.Side, String) =
            switch side {
            case .local: (.local, "local")
            case .server: (.server, "server")
            case .merge(let body): (.merge(Array(body.utf8)), "merge")
            }
        try await edit("conflict.resolved", about: [("side", .text(name))]) { [store] editor in
            // The service's side only takes requests away.
            if case .server = side { return try editor.resolve(url, with: side, consent: consent) }
            try store.withinRoom(editor) { try editor.resolve(url, with: side, consent: consent) }
        }
    }

    /// Ends the conflict of an entity between its local version and the service's newer one.
    ///
    /// - Throws: ``OfflineODataError`` where the store knows no newer version, or the change is being sent.
    public func resolveConflict(
        for entity: EntityValue,
        with side: OfflineODataConflictSide,
        includingUnknownOutcome: Bool = false
    ) async throws(OfflineODataError) {
        let link = try await uncancelled { try entity.link(in: await store.schema()) }
        try await resolveConflict(
            link,
            with: side,
            includingUnknownOutcome: includingUnknownOutcome
        )
    }

    /// What the event log says of requests that are no more.
    private static let takenBack = "taken back"

    private static func consent(_ isGiven: Bool) -> QueueEditor.Consent {
        isGiven ? .includingUnknownOutcome : .onlyUnsent
    }

    /// How many requests an edit has taken.
    private static func count(_ ids: [Int64]) -> [Log.Field] { [("requests", .count(ids.count))] }

    /// Edits the queue.
    ///
    /// - Parameters:
    ///   - event: What the edit is called in the log.
    ///   - request: The request that it is about, which an error names as its place.
    ///   - about: What else is logged of it.
    ///   - fields: What is logged of its result.
    private func edit<R: Sendable>(
        _ event: String,
        request: Int64? = nil,
        about: [Log.Field] = [],
        fields: (R) -> [Log.Field] = { _ in [] },
        body: @escaping @Sendable (QueueEditor) throws -> R
    ) async throws(OfflineODataError) -> R {
        let about = [("request", request.map { .integer($0) })] + about
        return try await settings.log.work(event, about: about, fields: fields) {
            () throws(OfflineODataError) in
            do throws(OfflineODataError) {
                return try await uncancelled { try await edited(body) }
            } catch {
                throw request.map { error.about(request: $0) } ?? error
            }
        }
    }

    private func edited<R: Sendable>(
        _ body: @escaping @Sendable (QueueEditor) throws -> R
    ) async throws -> R {
        try await store.file.write { [store] connection in
            let schema = try store.schema(connection)
            let result = try body(QueueEditor(connection, schema: schema))
            try RowCoverage(connection, layout: schema.layout).sweep()
            return result
        }
    }
}

extension OfflineODataError {
    /// The error with the request that it is about as its place.
    fileprivate func about(request: Int64) -> Self {
        var error = self
        var place = error.place ?? Place()
        place.requestID = request
        error.place = place
        return error
    }
}
