public import OfflineValues
public import ODataBinding
import StoreRecords
import ODataModel
import ODataHTTP
import ODataTables
import OfflineStore

/// Work on entities: applied to the store at once, queued for the upload in the same transaction.
extension OfflineODataProvider {
    /// Answers a query from the store.
    ///
    /// - Parameter query: URL relative to the service root, such as `Events?$filter=Price lt 20`.
    /// - Throws: ``OfflineODataError`` where the URL is wrong.
    public func executeQuery(_ query: String) async throws -> [EntityValue] {
        let query = try await resolved(query)
        return try await mapping { try await answer(ReadRequest(query)).entities ?? [] }
    }

    /// Answers a query made in Swift from the store.
    ///
    /// - Throws: ``OfflineODataError`` where a name is unknown or types do not go together.
    public func executeQuery(_ query: ODataQuery) async throws -> [EntityValue] {
        try await mapping { try await answer(ReadRequest(.query(query))).entities ?? [] }
    }

    /// Answers a query from the store as values of the application's own type, whose coding keys are the properties' names.
    ///
    /// - Throws: ``OfflineODataError`` where the URL is wrong, `DecodingError` where a value does not fit the type.
    public func executeQuery<Value: Decodable>(_ query: String, as type: Value.Type) async throws
        -> [Value]
    {
        try await executeQuery(query).map { try $0.decode(type) }
    }

    /// Answers a query made in Swift from the store as values of the application's own type, whose coding keys are the properties' names.
    ///
    /// - Throws: ``OfflineODataError`` where a name is unknown or types do not go together, `DecodingError` where a value does not fit
    ///   the type.
    public func executeQuery<Value: Decodable>(_ query: ODataQuery, as type: Value.Type)
        async throws -> [Value]
    {
        try await executeQuery(query).map { try $0.decode(type) }
    }

    /// Creates an entity; answers it with its read link, which is good as long as the entity is in the store.
    ///
    /// A link by a key that was given here ends where the service gives the entity another key: read it anew then.
    ///
    /// - Throws: ``OfflineODataError`` where a rule of the model is broken; nothing is changed then.
    @discardableResult
    public func createEntity(
        _ entity: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) -> EntityValue {
        try await change(options, change: .create(in: entity.entitySet)) { try $0.create(entity) }
    }

    /// Creates an entity in a collection that another entity leads to.
    @discardableResult
    public func createRelatedEntity(
        _ entity: EntityValue,
        in parent: EntityValue,
        property: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) -> EntityValue {
        try await change(options, change: .create(in: parent.address + "/" + property)) {
            try $0.create(entity, at: $0.path(of: parent, property))
        }
    }

    /// Updates an entity; only values that were changed since it was read are sent, unless the options ask for a replacement.
    ///
    /// Related entities among the values are changed, created and related. None is related no more since a collection leaves it out:
    /// `deleteLink` ends a relation.
    ///
    /// - Throws: ``OfflineODataError``, with the code `changedMeanwhile` where a download has brought another value of a changed
    ///   property: the application has not seen what it would write over.
    public func updateEntity(
        _ entity: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        let (isReplacing, sendsEmpty) = (options.updateMode == .replace, options.sendEmptyUpdate)
        try await change(options, change: .update(entity.address)) {
            try $0.update(entity, isReplacing: isReplacing, sendsEmpty: sendsEmpty)
        }
    }

    /// Creates an entity under the key that it gives, or updates the one in the store that has it; answers it.
    @discardableResult
    public func upsertEntity(
        _ entity: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) -> EntityValue {
        try await change(options, change: .update(entity.address)) { try $0.upsert(entity) }
    }

    /// Deletes an entity.
    public func deleteEntity(
        _ entity: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        try await change(options, change: .delete(entity.address)) { try $0.delete(entity) }
    }

    /// Relates an entity to another by a navigation property.
    public func createLink(
        from entity: EntityValue,
        property: String,
        to target: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        try await change(options, change: .link(entity.address + "/" + property)) {
            try $0.link(entity, property: property, to: target)
        }
    }

    /// Relates an entity to another one by a single-valued navigation property, instead of whatever it was related to.
    public func updateLink(
        from entity: EntityValue,
        property: String,
        to target: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        try await change(options, change: .link(entity.address + "/" + property)) {
            try $0.replaceLink(entity, property: property, to: target)
        }
    }

    /// Ends a relation; of a single-valued property without naming the target.
    public func deleteLink(
        from entity: EntityValue,
        property: String,
        to target: EntityValue? = nil,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        try await change(options, change: .link(entity.address + "/" + property)) {
            try $0.unlink(entity, property: property, from: target)
        }
    }

    /// Makes a local change in one transaction of the store.
    func change<R: Sendable>(
        _ options: OfflineODataRequestOptions,
        change: LocalChange,
        body: @escaping @Sendable (LocalWork) throws -> R
    ) async throws(OfflineODataError) -> R {
        let options = try mapping {
            try options.all.changeOptions(isOptimizing: settings.optimizesQueue)
        }
        return try await self.change(options, change: change, body: body)
    }

    /// Makes a local change whose options are known already.
    func change<R: Sendable>(
        _ options: ChangeOptions,
        change: LocalChange,
        body: @escaping @Sendable (LocalWork) throws -> R
    ) async throws(OfflineODataError) -> R {
        try await uncancelled {
            try await observed(change) {
                try await store.change(options) { try body(LocalWork(writing: $0)) }
            }
        }
    }

    /// Makes a local change of which the observers hear before and after.
    func observed<R>(_ change: @autoclosure () -> LocalChange, body: () async throws -> R)
        async throws -> R
    {
        let observers = router.observers
        guard !observers.isEmpty else { return try await logged(change(), body: body) }
        let made = change()
        for observer in observers { try observer.willMake(made) }
        let result = try await logged(made, body: body)
        for observer in observers { observer.didMake(made) }
        return result
    }

    private func logged<R>(_ change: @autoclosure () -> LocalChange, body: () async throws -> R)
        async throws -> R
    {
        do {
            let result = try await body()
            // Requests in OData form are refused by their answer.
            let status = (result as? HTTPResponse).flatMap { $0.isSuccess ? nil : $0.status }
            settings.log(
                .debug,
                status == nil ? "change" : "change.refused",
                [("kind", .text(change().kind)), ("status", status.map { .count($0) })]
            )
            return result
        } catch {
            settings.log.error(
                "change.refused",
                error: error,
                fields: [("kind", .text(change().kind))]
            )
            throw error
        }
    }

    /// The same while the calling thread waits.
    func observedBlocking<R>(_ change: @autoclosure () -> LocalChange, body: () throws -> R)
        throws
        -> R
    {
        let observers = router.observers
        guard !observers.isEmpty else { return try loggedBlocking(change(), body: body) }
        let change = change()
        for observer in observers { try observer.willMake(change) }
        let result = try loggedBlocking(change, body: body)
        for observer in observers { observer.didMake(change) }
        return result
    }

    private func loggedBlocking<R>(_ change: @autoclosure () -> LocalChange, body: () throws -> R)
        throws -> R
    {
        do {
            let result = try body()
            settings.log(.debug, "change", [("kind", .text(change().kind))])
            return result
        } catch {
            settings.log.error(
                "change.refused",
                error: error,
                fields: [("kind", .text(change().kind))]
            )
            throw error
        }
    }
}

// MARK: - For code that is not asynchronous

extension OfflineODataProvider {
    /// Answers a query from the store while the calling thread waits.
    ///
    /// It never asks the service: where fetch policies decide about every read, they decide as if there were no network.
    @available(*, noasync, message: "await the asynchronous form")
    public func executeQuery(_ query: String) throws(OfflineODataError) -> [EntityValue] {
        let query = try resolvedBlocking(query)
        return try mapping {
            let source = try router.sourceAtHand(of: ReadRequest(query))
            return try router.readBlocking(source) {
                try Self.entities(of: .url(query), limits: settings.limits.url, query: $0, in: $1)
            } ?? []
        }
    }

    /// Creates an entity while the calling thread waits.
    @available(*, noasync, message: "await the asynchronous form")
    @discardableResult
    public func createEntity(
        _ entity: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) throws(OfflineODataError) -> EntityValue {
        try changeBlocking(options, change: .create(in: entity.entitySet)) { try $0.create(entity) }
    }

    /// Updates an entity while the calling thread waits.
    @available(*, noasync, message: "await the asynchronous form")
    public func updateEntity(
        _ entity: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) throws(OfflineODataError) {
        let (isReplacing, sendsEmpty) = (options.updateMode == .replace, options.sendEmptyUpdate)
        try changeBlocking(options, change: .update(entity.address)) {
            try $0.update(entity, isReplacing: isReplacing, sendsEmpty: sendsEmpty)
        }
    }

    /// Deletes an entity while the calling thread waits.
    @available(*, noasync, message: "await the asynchronous form")
    public func deleteEntity(
        _ entity: EntityValue,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) throws(OfflineODataError) {
        try changeBlocking(options, change: .delete(entity.address)) { try $0.delete(entity) }
    }

    private func changeBlocking<R>(
        _ options: OfflineODataRequestOptions,
        change: LocalChange,
        body: (LocalWork) throws -> R
    ) throws(OfflineODataError) -> R {
        try mapping {
            try observedBlocking(change) {
                try store.changeBlocking(
                    options.all.changeOptions(isOptimizing: settings.optimizesQueue)
                ) { try body(LocalWork(writing: $0)) }
            }
        }
    }
}
