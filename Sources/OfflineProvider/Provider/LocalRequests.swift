import ODataText
import StoreRecords
import ODataSQL
package import OfflineValues
import ODataHTTP
import ODataBinding
import StoreUpload
import ODataValues
import ODataModel
import ODataPayload
import ODataAnswers
import ODataTables
import OfflineStore

/// The store with options for the changes that are made through it: what local requests in OData form are answered from.
struct OptionedStore: EntityStore {
    let store: LocalStore
    let options: ChangeOptions
    /// Knows what checks the requests that are queued.
    let router: ReadRouter
    /// The stored collection whose members answer reads; nil for what the queries choose.
    var collection: StoredCollection?

    func schema() async throws -> TableSchema { try await store.schema() }

    func read<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        guard let collection else { return try await store.readCancellable(body) }
        return try await store.readCancellable { query, schema in
            try body(ReadRouter.query(query, of: collection), schema)
        }
    }

    func write<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        try await change(options, body: body)
    }

    private func change<R: Sendable>(
        _ options: ChangeOptions,
        body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        let checks = try await router.queueChecks()
        guard !checks.isEmpty else { return try await store.change(options) { try body($0) } }
        return try await store.change(options) { transaction in
            try transaction.checked(by: checks) { try body(transaction) }
        }
    }

    /// The requests of a change set are a transaction of the queue: the service gets them as a change set too.
    func writeChangeSet<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        var options = options
        if options.transaction == nil {
            options.transaction = .named("changeset-" + LocalID().uuidText)
        }
        return try await change(options, body: body)
    }
}

extension StoreTransaction {
    /// Makes changes in the transaction, and has the requests checked that they queue.
    func checked<R>(by checks: [QueueCheck], _ body: () throws -> R) throws -> R {
        let newest = try newestRequest()
        let result = try body()
        let queued = try queuedURLs(after: newest)
        for check in checks { try check(queued, query(), schema) }
        return result
    }
}

extension ReadRouter {
    /// What the observers check of requests that are queued.
    func queueChecks() async throws -> [QueueCheck] {
        var checks: [QueueCheck] = []
        for observer in observers {
            if let check = try await observer.queueCheck() { checks.append(check) }
        }
        return checks
    }
}

extension OfflineODataRequestOptions.Values {
    /// The options as a value.
    ///
    /// - Parameter isOptimizing: Whether requests may be merged into those that wait.
    func changeOptions(isOptimizing: Bool = false) throws -> ChangeOptions {
        guard !(removeCreatedEntityAfterUpload && unmodifiableRequest) else {
            throw OfflineODataError(
                .invalidInput,
                "removeCreatedEntityAfterUpload and unmodifiableRequest exclude each other"
            )
        }
        var options = ChangeOptions()
        if removeCreatedEntityAfterUpload { options.flags.insert(.removeAfterUpload) }
        if unmodifiableRequest { options.flags.insert(.unmodifiable) }
        options.labels = labels.texts
        options.category = try Self.group(uploadCategory, of: uploadCategoryEntity)
        options.transaction = try Self.group(transactionID, of: transactionEntity)
        options.headers = customHeaders
        if preferNoContent, options.headers["Prefer"] == nil {
            options.headers["Prefer"] = "return=minimal"
        }
        options.headerTemplates = customHeaderFormatTemplate
        options.optimizes = isOptimizing
        return options
    }

    private static func group(
        _ name: String?,
        of entity: OfflineODataGroupEntity?
    ) throws -> ChangeOptions.Group? {
        switch entity?.value {
        case .created: return .affected
        case .entity(let entity):
            guard let link = entity.readLink else {
                throw OfflineODataError(
                    .invalidInput,
                    "the entity that names the group has no read link: create or read it first"
                )
            }
            return .entity(link)
        case nil: return name.map { .named($0) }
        }
    }
}

/// Local work on entities inside one transaction, shared by the synchronous and the asynchronous forms.
package struct LocalWork {
    let writing: StoreTransaction

    private var schema: TableSchema { writing.schema }

    package func create(_ entity: EntityValue) throws -> EntityValue {
        try create(entity, at: path(entity.entitySet))
    }

    func create(_ entity: EntityValue, at path: EntityPath) throws -> EntityValue {
        if case .singleton = path.source, path.steps.isEmpty {
            throw OfflineODataError(
                .invalidInput,
                "\(entity.entitySet) is a singleton: it is changed, and not created in"
            )
        }
        let created = try writing.insert(body(of: entity, at: path), at: path)
        guard let inserted = created.inserted else {
            return try EntityReading(query: writing.query(), schema: schema).entity(created.row)
        }
        return EntityValue(
            entitySet: schema.layout.model.name(of: created.row.source),
            WrittenObject(inserted, in: schema.layout),
            row: created.row.row
        )
    }

    /// The values of an entity as the body of a request; what the metadata does not know is refused.
    private func body(of entity: EntityValue, at path: EntityPath) throws -> EntityBody {
        guard let source = path.finalSource,
            let plan = schema.plans.plan(
                for: source,
                type: path.entityType(in: schema.layout.model)
            )
        else {
            throw OfflineODataError(.notFound, "there is no entity set \(entity.entitySet)")
        }
        if let body = entity.plainBody(plan, in: schema.layout) { return body }
        let text = entity.withDays(of: plan.type, in: schema.model).body()
        do {
            guard let body = try EntityBodyReader.readStrictly(text, plan: plan, in: schema) else {
                throw OfflineODataError(.invalidInput, "the entity has no properties")
            }
            return body
        } catch let error as PayloadError {
            throw OfflineODataError.ofValues(error)
        }
    }

    func update(_ entity: EntityValue, isReplacing: Bool, sendsEmpty: Bool = false) throws {
        let path = try path(of: entity)
        let entity = try changes(of: entity, isReplacing: isReplacing)
        var body = try body(of: entity, at: path)
        if let row = try writing.query().rows(path).first {
            try writing.refuseKeyChange(body, of: row)
            let whole = body
            try keepChanges(of: &body, row)
            if isReplacing {
                (body.values, body.undeclared) = (whole.values, whole.undeclared)
            } else if body.isEmpty && !sendsEmpty {
                return
            }
        }
        _ = try writing.update(body, at: path, isReplacing: isReplacing, precondition: .none)
    }

    /// Returns an entity with what was set since it was read, so that what others have changed since stays; with all that the store
    /// has now where the whole is replaced.
    private func changes(of entity: EntityValue, isReplacing: Bool) throws -> EntityValue {
        guard entity.isRead,
            let present = try EntityReading(query: writing.query(), schema: schema)
                .entities(link(of: entity)).first
        else { return entity }
        let changes = entity.assigned.filter { $0.value.isChange }
        try refuseUnknown(changes, of: entity, present: present)
        var members = entity.members.filter { member in
            // A dynamic property goes with its type.
            let name = DynamicTypeMember.property(of: member.name) ?? member.name
            return changes[member.name] != nil || changes[name] != nil
                || member.name == "@odata.type"
        }
        if isReplacing {
            members += present.members.filter { member in
                entity.assigned[member.name] == nil && !members.contains { $0.name == member.name }
            }
        }
        return EntityValue(entitySet: entity.entitySet, members: members)
    }

    /// Refuses to write over what the application has not seen: a download has brought another version, in which another client has
    /// changed the same property.
    private func refuseUnknown(
        _ changes: [String: AssignedMember],
        of entity: EntityValue,
        present: EntityValue
    ) throws {
        guard !EntityTag.areSame(present.etag, entity.etag),
            !present.isLocal, !present.hasPendingChanges
        else { return }
        let unknown = changes.filter { name, change in
            present[name].map { !change.knows($0) && $0 != entity[name] } ?? false
        }
        guard let name = unknown.keys.min() else { return }
        throw OfflineODataError(
            .preconditionFailed,
            "\(name) was changed at the service since the entity was read: read the entity again and decide",
            code: .changedMeanwhile
        )
    }

    /// Creates an entity, or updates the one that has its key.
    func upsert(_ entity: EntityValue) throws -> EntityValue {
        let path = try path(of: entity)
        if let row = try writing.query().rows(path).first {
            try update(entity, isReplacing: false)
            return try value(of: row)
        }
        let row = try writing.upsert(
            body(of: entity, at: path),
            at: path,
            isReplacing: false,
            isInsertOnly: false
        )
        return try value(of: row)
    }

    /// Takes away what is as the store has it: an entity that was read and changed sends only its changes.
    ///
    /// Inline entities that were read along and are as they were are no part of the change, and none is related no more.
    private func keepChanges(of body: inout EntityBody, _ entity: RowReference) throws {
        guard let table = schema.layout[entity.source] else { return }
        let rows = RowEditor(try writing.query().connection, layout: schema.layout)
        if let present = try StoredValues(of: entity.row, in: table, rows) {
            body.values.removeAll(where: present.isUnchanged)
        }
        if case .text(let json)? = try rows.value("\"$dynamic\"", of: entity.row, in: table),
            let tree = JSONTree(Array(json.utf8))
        {
            let changed = body.undeclared.filter { member in
                tree.member(member.name).map(tree.text) != Array(member.json.utf8)
            }
            // A value goes with its type, changed or not.
            let names = Set(changed.flatMap { [$0.name, DynamicTypeMember.name(of: $0.name)] })
            body.undeclared.removeAll { !names.contains($0.name) }
        }
        body.inline = try body.inline.compactMap { inline in
            if inline.isEmpty, try writing.leads(inline.navigation, from: entity) { return inline }
            var changes = inline
            changes.isDelta = true
            try keepChanges(ofInline: &changes, entity)
            return changes.entities.isEmpty && changes.removals.isEmpty ? nil : changes
        }
    }

    private func keepChanges(
        ofInline inline: inout EntityBody.Inline,
        _ entity: RowReference
    ) throws {
        guard let target = schema.model.target(of: inline.navigation, from: entity.source),
            let table = schema.layout[target]
        else { return }
        let rows = RowEditor(try writing.query().connection, layout: schema.layout)
        let related = Set(try writing.related(inline.navigation, of: entity))
        let parent = schema.model[inline.navigation].containsTarget ? entity.row : nil
        inline.entities = try inline.entities.compactMap { inner in
            let key = table.keyColumns.map { inner.value(of: $0) ?? .null }
            guard !key.isEmpty, !key.contains(.null),
                let row = try rows.row(withKey: key, in: table, parent: parent)
            else { return inner }
            var changed = inner
            try keepChanges(of: &changed, RowReference(source: target, row: row))
            guard !changed.isEmpty || !related.contains(RowReference(source: target, row: row))
            else { return nil }
            for (slot, value) in zip(table.keyColumns, key) { changed.set(value, slot: slot) }
            return changed
        }
    }

    /// Deletes an entity; an entry of the error archive is discarded, as users of the reference engine do it.
    func delete(_ entity: EntityValue) throws {
        if entity.entitySet == "ErrorArchive", let id = entity["RequestID"]?.integerValue,
            let source = schema.source(named: entity.entitySet),
            BuiltInSets.contains(source, in: schema.model)
        {
            let connection = try writing.query().connection
            _ = try QueueEditor(connection, schema: schema).discardError(id)
            return try RowCoverage(connection, layout: schema.layout).sweep()
        }
        try writing.delete(at: path(of: entity), precondition: .none)
    }

    func link(_ entity: EntityValue, property: String, to target: EntityValue) throws {
        try writing.addLink(at: path(of: entity, property), to: link(of: target))
    }

    /// Relates an entity to another one by a single-valued property.
    func replaceLink(_ entity: EntityValue, property: String, to target: EntityValue) throws {
        let path = try path(of: entity, property)
        if case .navigation(let id, _)? = path.steps.last, schema.model[id].isCollection {
            throw OfflineODataError(
                .invalidInput,
                "\(property) leads to many entities: add one by createLink, take one away by deleteLink"
            )
        }
        try writing.addLink(at: path, to: link(of: target))
    }

    func unlink(_ entity: EntityValue, property: String, from target: EntityValue?) throws {
        try writing.removeLink(at: path(of: entity, property), from: target.map(link))
    }

    // MARK: Operations

    func call(_ url: String, parameters: [String: ODataValue]) throws {
        let request = try BoundRequest(ofApplication: url, in: schema.model)
        guard case .operation(let operation) = request.resource else {
            throw OfflineODataError(.invalidInput, "the URL calls no action or function")
        }
        let isFunction =
            operation.operation.map { schema.model.operations[$0].kind == .function } ?? true
        var body: [UInt8] = []
        if !isFunction {
            var writer = JSONWriter()
            let members = parameters.sorted { $0.key < $1.key }.map {
                (name: $0.key, value: $0.value)
            }
            ODataValue.object(members).write(to: &writer)
            body = writer.bytes
        }
        try writing.call(operation, method: isFunction ? "GET" : "POST", url: url, body: body)
    }

    // MARK: Streams

    func createMedia(_ entity: EntityValue, content: StreamContent) throws -> EntityValue {
        var created = try createMedia(in: entity.entitySet, content)
        let properties = entity.members.filter { !$0.name.hasPrefix("@") }
        guard !properties.isEmpty else { return created }
        for member in properties { created[member.name] = member.value }
        try update(created, isReplacing: false)
        return try EntityReading(query: writing.query(), schema: schema).entity(link(of: created))
    }

    func createMedia(in url: String, _ content: StreamContent) throws -> EntityValue {
        try value(of: writing.createMedia(content, at: path(url)))
    }

    /// Gives a stream a content, or none; the media stream where no property is named.
    func setStream(_ entity: EntityValue, property: String?, content: StreamContent?) throws {
        let url = try link(of: entity) + "/" + (property ?? "$value")
        guard let address = try StreamAddress(url, in: schema.model) else {
            throw OfflineODataError(.invalidInput, "\(property ?? "the entity") is no stream")
        }
        if let content {
            try writing.setStream(
                content,
                at: address.owner,
                property: address.property,
                precondition: .none
            )
        } else {
            try writing.removeStream(
                at: address.owner,
                property: address.property,
                precondition: .none
            )
        }
    }

    // MARK: Addresses

    /// The path of a URL relative to the service root.
    func path(_ url: String) throws -> EntityPath {
        // Most often it is the name of a set, which needs no reading.
        if let source = schema.layout.model.navigationSource(named: url) {
            return EntityPath(source: source)
        }
        let request = try BoundRequest(ofApplication: url, in: schema.model)
        guard case .entities(let path) = request.resource else {
            throw OfflineODataError(.invalidInput, "the URL addresses no entities")
        }
        return path
    }

    func path(of entity: EntityValue, _ property: String? = nil) throws -> EntityPath {
        try path(link(of: entity) + (property.map { "/" + $0 } ?? ""))
    }

    func link(of entity: EntityValue) throws -> String {
        if entity.readLink == nil, let link = try containedLink(of: entity) { return link }
        return try entity.link(in: schema)
    }

    /// The link of a contained entity that was read: it leads through the parent, which the values do not name.
    private func containedLink(of entity: EntityValue) throws -> String? {
        guard entity.isRead, let source = schema.source(named: entity.entitySet),
            case .contained = source, let type = schema.model.entityType(of: source)
        else { return nil }
        let link = try writing.link(RowReference(source: source, row: entity.rowID))
        let present = try EntityReading(query: writing.query(), schema: schema).entities(link).first
        let isSame = schema.model.key(of: type).allSatisfy { present?[$0.path] == entity[$0.path] }
        return isSame ? link : nil
    }

    // MARK: Answers

    private func value(of row: RowReference) throws -> EntityValue {
        try EntityReading(query: writing.query(), schema: schema).entity(row)
    }
}
