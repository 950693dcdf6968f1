import ODataModel
package import ODataProtocol
package import ODataService
package import ODataTables

/// Local changes inside one write transaction: each is applied to the rows, its base copies are kept, and its request is queued.
package struct StoreTransaction: EntityWriting {
    package let schema: TableSchema
    let connection: SQLiteConnection
    let options: ChangeOptions
    var rows: RowEditor { RowEditor(connection, schema.layout) }

    package init(_ connection: SQLiteConnection, _ schema: TableSchema, _ options: ChangeOptions) {
        self.connection = connection
        self.schema = schema
        self.options = options
    }

    package func query() throws -> TableQuery {
        try TableQuery(connection, schema.layout)
    }

    // MARK: Changes

    package func create(_ body: EntityBody, at path: EntityPath) throws -> RowReference {
        guard let source = path.finalSource else {
            throw EditError(.invalid, "the path leads to no entity set that the metadata names")
        }
        try refuseBuiltIn(source)
        let parent = try parent(of: path)
        let url = try parent.map { try link($0.entity) + "/" + schema.model[$0.navigation].name }
        let recorder = ChangeRecorder(rows, flags: options.flags)
        let created = try editor(recorder).create(body, in: source, through: parent)
        var referred = try referredRows(body) + recorder.insertedRows
        if let parent { referred.append(parent.entity.row) }
        try enqueue(
            "POST",
            url ?? schema.model.name(of: source),
            body: json(body),
            affected: created,
            referred: referred,
            recorder,
            after: deletions(freeing: created)
        )
        return created
    }

    package func update(
        _ body: EntityBody,
        at path: EntityPath,
        isReplacing: Bool,
        precondition: Precondition
    ) throws -> RowReference {
        let entity = try entity(at: path)
        try refuseBuiltIn(entity.source)
        try check(precondition, entity)
        try refuseKeyChange(body, entity)
        let url = try link(entity)
        let etag = try etag(of: entity)
        let recorder = ChangeRecorder(rows, flags: options.flags)
        let referred = try referredRows(body)
        try editor(recorder).update(entity, with: body, isReplacing: isReplacing)
        let involved = involved(entity, referred, recorder)
        if try Correction(self).correct(with: body, isReplacing: isReplacing, involved) {
            return entity
        }
        try enqueue(
            isReplacing ? "PUT" : "PATCH",
            url,
            body: json(body),
            affected: entity,
            referred: referred,
            recorder,
            etag: etag
        )
        return entity
    }

    package func delete(at path: EntityPath, precondition: Precondition) throws {
        let entity = try entity(at: path)
        try refuseBuiltIn(entity.source)
        try check(precondition, entity)
        if try Correction(self).dropFailed(of: entity) { return }
        let url = try link(entity)
        let etag = try etag(of: entity)
        let recorder = ChangeRecorder(rows, flags: options.flags)
        try editor(recorder).delete(entity)
        try enqueue("DELETE", url, body: nil, affected: entity, referred: [], recorder, etag: etag)
    }

    package func addLink(at path: EntityPath, to reference: String) throws {
        let (source, navigation) = try navigation(at: path)
        let target = try resolve(reference)
        let url = try link(source) + "/" + schema.model[navigation].name + "/$ref"
        let recorder = ChangeRecorder(rows, flags: options.flags)
        try markChanged(source, recorder)
        try editor(recorder).relate(source, navigation, to: target)
        let body = "{\"@odata.id\":\(quoted(try link(target)))}"
        let isCollection = schema.model[navigation].isCollection
        try enqueue(
            isCollection ? "POST" : "PUT",
            url,
            body: body,
            affected: source,
            referred: [target.row],
            recorder
        )
    }

    package func removeLink(at path: EntityPath, from reference: String?) throws {
        let (source, navigation) = try navigation(at: path)
        let target = try reference.map(resolve)
        var url = try link(source) + "/" + schema.model[navigation].name + "/$ref"
        if let target { url += "?$id=" + (try link(target)) }
        let recorder = ChangeRecorder(rows, flags: options.flags)
        try markChanged(source, recorder)
        try editor(recorder).unrelate(source, navigation, from: target)
        try enqueue(
            "DELETE",
            url,
            body: nil,
            affected: source,
            referred: [target?.row].compactMap { $0 },
            recorder
        )
    }

    // MARK: Parts

    func editor(_ recorder: ChangeRecorder) -> EntityEditor {
        EntityEditor(rows, journal: recorder, resolve: resolve)
    }

    func refuseBuiltIn(_ source: NavigationSource) throws {
        if BuiltInSets.contains(source, in: schema.model) {
            throw EditError(.notSupported, "\(schema.model.name(of: source)) can only be read")
        }
    }

    private func markChanged(_ entity: RowReference, _ recorder: ChangeRecorder) throws {
        guard let table = schema.layout[entity.source] else { return }
        try recorder.willChange(entity.row, in: table)
    }

    /// Deletions that wait and make room for a created entity: its key is the one of an entity deleted here.
    func deletions(freeing created: RowReference) throws -> [Int64] {
        guard let table = schema.layout[created.source], try rows.catalog.exists(table.baseName),
            let key = try rows.key(of: created.row, in: table)
        else { return [] }
        let conditions = table.keyColumns.enumerated().map {
            "b.\(table.columns[$1].sql) = ?\($0 + 1)"
        }
        var found: [Int64] = []
        try connection.forEachRow(
            """
            SELECT e."request" FROM \(table.baseName.sqlQuoted) b JOIN "$effect" e ON e."row" = b."$id"
            WHERE e."kind" = 2 AND \(conditions.joined(separator: " AND "))
            """,
            key
        ) { found.append($0.integer(0)) }
        return found
    }

    /// Finds the row that a reference means, by its key or its local id; absolute URLs too.
    package func resolve(_ reference: String) throws -> RowReference {
        let request = try BoundRequest(
            ofService: ServiceRoot.relative(reference, connection),
            in: schema.model
        )
        guard case .entities(let path) = request.resource, let row = try query().rows(path).first
        else {
            throw EditError(.notFound, "the entity that the request refers to is not in the store")
        }
        return row
    }

    func entity(at path: EntityPath) throws -> RowReference {
        guard path.isSingle(in: schema.model) else {
            throw EditError(.invalid, "the URL addresses a collection, not one entity")
        }
        guard let row = try query().rows(path).first else {
            throw EditError(.notFound, "there is no such entity in the store")
        }
        return row
    }

    /// The entity and the navigation property at the end of a path that leads through one; nil for a plain set.
    func parent(of path: EntityPath) throws -> EntityEditor.Parent? {
        guard case .navigation(let id, _)? = path.steps.last else { return nil }
        var owner = path
        owner.steps.removeLast()
        return EntityEditor.Parent(entity: try entity(at: owner), navigation: id)
    }

    private func navigation(at path: EntityPath) throws -> (RowReference, NavigationPropertyID) {
        guard let parent = try parent(of: path) else {
            throw EditError(.invalid, "the URL does not end with a navigation property")
        }
        return (parent.entity, parent.navigation)
    }

    func link(_ entity: RowReference) throws -> String {
        guard let link = try EntityLink(rows).link(entity) else {
            throw EditError(
                .notFound,
                "the entity cannot be addressed: it has neither key nor local id"
            )
        }
        return link
    }

    private func etag(of entity: RowReference) throws -> String? {
        guard let table = schema.layout[entity.source],
            case .text(let etag)? = try rows.value(SystemColumn.etag.sql, of: entity.row, in: table)
        else { return nil }
        return etag
    }

    private func check(_ precondition: Precondition, _ entity: RowReference) throws {
        guard case .match(let tags) = precondition, let etag = try etag(of: entity) else { return }
        guard EntityTagList(tags.joined(separator: ", "))?.weaklyContains(EntityTag(etag)) ?? true
        else {
            throw EditError(.preconditionFailed, "the entity in the store has another ETag")
        }
    }

    func refuseKeyChange(_ body: EntityBody, _ entity: RowReference) throws {
        guard let table = schema.layout[entity.source] else { return }
        let values = try rows.values(of: entity.row, in: table) ?? []
        for slot in table.keyColumns {
            guard let value = body.value(of: slot), value != values[slot] else { continue }
            throw EditError(
                .invalid,
                "the key property \(table.columns[slot].name) cannot be changed"
            )
        }
    }

    /// Rows that a body refers to, at every depth.
    func referredRows(_ body: EntityBody) throws -> [Int64] {
        try body.bindings.map { try resolve($0.reference).row }
            + body.inline.flatMap { try $0.entities.flatMap(referredRows) }
    }

    /// The body as it stands in the queue: references by key, or by local id.
    func json(_ body: EntityBody) throws -> String {
        let bytes = try EntityBodyWriter.json(body, in: schema) { binding in
            try self.link(self.resolve(binding.reference))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func quoted(_ text: String) -> String {
        // A link holds no character that JSON escapes but the quotation mark, which is percent-encoded.
        "\"\(text)\""
    }

    func enqueue(
        _ method: String,
        _ url: String,
        body: String?,
        stream: Int64? = nil,
        streamProperty: String? = nil,
        affected: RowReference,
        referred: [Int64],
        _ recorder: ChangeRecorder,
        etag: String? = nil,
        after: [Int64] = []
    ) throws {
        let headers = options.headers.fields.map { "\($0.name): \($0.value)" }.joined(
            separator: "\n"
        )
        let entry = QueueEntry(
            id: 0,
            status: .pending,
            method: method,
            url: url,
            body: body,
            source: schema.model.name(of: affected.source),
            row: affected.row,
            stream: stream,
            streamProperty: streamProperty,
            etag: etag,
            tag: options.tag,
            category: options.category,
            transaction: options.transaction,
            headers: headers.isEmpty ? nil : headers,
            flags: options.flags,
            dependsOn: []
        )
        var involved = involved(affected, referred, recorder)
        involved.after = after
        try RequestQueue(connection).add(entry, involved)
    }

    func involved(
        _ affected: RowReference,
        _ referred: [Int64],
        _ recorder: ChangeRecorder
    ) -> RequestQueue.Involved {
        var involved = RequestQueue.Involved(affected: affected, referred: referred)
        involved.effects = recorder.effects
        return involved
    }
}
