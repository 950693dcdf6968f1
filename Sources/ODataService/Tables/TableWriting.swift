import ODataSQLite
package import ODataBinding
package import ODataSQL
import ODataValues
package import ODataAnswers
import ODataModel
import ODataPayload
import ODataURL
package import ODataTables

/// Changes to the tables of a service inside one write transaction.
package final class TableWriting: EntityWriting {
    package let schema: TableSchema
    private let connection: SQLiteConnection
    private let rows: RowEditor
    private let journal: TableJournal
    private let log: ChangeLog?
    private let settings: TableStoreSettings
    private let isImport: Bool

    init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        settings: TableStoreSettings,
        isImport: Bool
    ) {
        self.schema = schema
        self.connection = connection
        self.settings = settings
        self.isImport = isImport
        rows = RowEditor(connection, layout: schema.layout)
        log = settings.logsChanges && !isImport ? ChangeLog(connection) : nil
        journal = TableJournal(rows, log: log, now: settings.now(), isImport: isImport)
    }

    private var editor: EntityEditor {
        EntityEditor(rows, journal: journal) { [self] in .row(try row(of: $0)) }
    }

    package func query() throws -> TableQuery {
        try TableQuery(connection, layout: schema.layout)
    }

    /// Does what comes last in the transaction.
    func finish() throws {
        try journal.finish(editor)
        try log?.trim(keeping: settings.changeLogLimit)
    }

    // MARK: Entities

    package func create(_ body: EntityBody, at path: EntityPath) throws -> RowReference {
        guard let end = path.trailingNavigation else {
            guard path.steps.allSatisfy(\.isCast) else {
                throw EditError(.invalid, "entities are created in a set or a collection")
            }
            try demand(\.isInsertable, of: path.source, word: "created")
            try checkInsert(body, into: path.source)
            return try editor.create(body, in: path.source)
        }
        guard schema.model[end.navigation].isCollection, let target = end.target else {
            throw EditError(.invalid, "entities are created in a set or a collection")
        }
        try demand(\.isInsertable, of: target, word: "created")
        try checkInsert(body, into: target)
        return try editor.create(
            body,
            in: target,
            through: .init(entity: try single(end.owner), navigation: end.navigation)
        )
    }

    package func update(
        _ body: EntityBody,
        at path: EntityPath,
        isReplacing: Bool,
        precondition: Precondition
    ) throws -> RowReference {
        let entity = try single(path)
        guard isImport || schema.layout.model.isUpdatable(entity.source) else {
            let name = schema.layout.model.name(of: entity.source)
            throw EditError(
                .notAllowed,
                "entities of \(name) cannot be changed: the metadata says so"
            )
        }
        let table = try rows.catalog.ensureTable(entity.source)
        try check(precondition, of: entity, in: table)
        var body = body
        if let own = try rows.type(of: entity.row, in: table) {
            try EntityRules(layout: schema.layout).checkType(of: body, on: own)
            // What replaces an entity says all of it, whether its type is named or not (OData 4.01 Part 1 § 11.4.3).
            if isReplacing {
                body.plan = schema.plans.plan(for: entity.source, type: own) ?? body.plan
            }
        }
        removeIgnored(from: &body, isUpdate: true)
        if !isImport {
            try KeptValues(rows: rows).keep(
                in: &body,
                of: entity,
                in: table,
                isReplacing: isReplacing
            )
        }
        if isReplacing { try completeReplacement(&body, of: entity, in: table) }
        try EntityRules(layout: schema.layout).check(
            body,
            in: table,
            isComplete: false,
            isReplacing: isReplacing
        )
        try EntityRules(layout: schema.layout).checkMade(body, in: table) {
            try rows.values(of: entity.row, in: table)
        }
        try editor.update(entity, with: body, isReplacing: isReplacing)
        return entity
    }

    /// Gives a replacing body what an entity has to have and the body leaves out.
    private func completeReplacement(
        _ body: inout EntityBody,
        of entity: RowReference,
        in table: TableLayout
    ) throws {
        EntityRules(layout: schema.layout)
            .setAbsentCollections(of: &body, in: table, isReplacing: true)
        let type = try rows.type(of: entity.row, in: table) ?? body.plan.type
        let computed = ComputedValues(rows: rows, now: settings.now())
        if let missing = computed.completeDefaults(of: &body, as: type, in: table) {
            throw EditError(.invalid, "\(missing) is missing", at: missing)
        }
    }

    /// Refuses what the metadata says that clients cannot do with a set (`Capabilities.InsertRestrictions` and its kin).
    private func demand(
        _ isAllowed: KeyPath<EntitySet, Bool>,
        of source: NavigationSource,
        word: String
    ) throws {
        guard !isImport, case .entitySet(let index) = source else { return }
        let set = schema.model.container.entitySets[index]
        guard set[keyPath: isAllowed] else {
            throw EditError(
                .notAllowed,
                "entities of \(set.name) cannot be \(word): the metadata says so"
            )
        }
    }

    private func checkInsert(_ body: EntityBody, into source: NavigationSource) throws {
        guard !isImport else { return }
        try InsertRestrictions(source, in: schema.layout)?
            .check(body, isComplete: !journal.takesIncomplete)
    }

    private func removeIgnored(from body: inout EntityBody, isUpdate: Bool) {
        let source = schema.plans.source(of: body.plan)
        guard let table = schema.layout[source] else { return }
        EntityRules(layout: schema.layout).removeIgnored(from: &body, in: table, isUpdate: isUpdate)
    }

    package func delete(at path: EntityPath, precondition: Precondition) throws {
        let entity = try single(path)
        try demand(\.isDeletable, of: entity.source, word: "deleted")
        try EntityRules(layout: schema.layout).checkSingleton(entity.source)
        try check(precondition, of: entity, in: rows.catalog.ensureTable(entity.source))
        try demandUnrelated(entity)
        try editor.delete(entity)
    }

    /// Refuses to delete an entity that has related ones where the metadata says so (OData CSDL XML 4.01 § 8.6).
    private func demandUnrelated(_ entity: RowReference) throws {
        let model = schema.layout.model
        guard let table = schema.layout[entity.source],
            let type = try rows.type(of: entity.row, in: table)
        else { return }
        for declaring in model.lineage(of: type) {
            for (index, property) in model[declaring].navigationProperties.enumerated()
            where property.onDelete == OnDelete.none {
                let id = NavigationPropertyID(type: declaring, index: index)
                guard try !editor.related(entity, id: id).isEmpty else { continue }
                throw ServiceError(
                    409,
                    "the entity has related ones by \(property.name): delete these first"
                )
            }
        }
    }

    // MARK: Links

    package func addLink(at path: EntityPath, to reference: String) throws {
        let (owner, navigation) = try link(path)
        try editor.relate(owner, navigation: navigation, to: .row(row(of: reference)))
    }

    /// Relates an entity to the one that a reference means.
    func relate(_ entity: RowReference, navigation: NavigationPropertyID, to reference: String)
        throws
    {
        try editor.relate(entity, navigation: navigation, to: .row(row(of: reference)))
    }

    package func removeLink(at path: EntityPath, from reference: String?) throws {
        let (owner, navigation) = try link(path)
        try editor.unrelate(
            owner,
            navigation: navigation,
            from: try reference.map { try row(of: $0) }
        )
        journal.ended(navigation, of: owner)
    }

    private func link(_ path: EntityPath) throws -> (RowReference, NavigationPropertyID) {
        guard let end = path.trailingNavigation else {
            throw EditError(.invalid, "the path ends with no navigation property")
        }
        return (try single(end.owner), end.navigation)
    }

    // MARK: Finding

    /// Returns the one entity that a path reaches.
    func single(_ path: EntityPath) throws -> RowReference {
        var path = path
        path.target = .entities
        guard let row = try query().rows(path).first else {
            throw EditError(.notFound, "there is no such entity")
        }
        return row
    }

    /// Returns the entity that a reference in a payload means: a URL relative to the service root.
    func row(of reference: String) throws -> RowReference {
        let request: BoundRequest
        do {
            request = try bound(reference)
        } catch let error {
            throw EditError(.invalid, "the reference is no entity-id of this service: \(error)")
        }
        // What an entity has, such as a property or a number of items, is no entity.
        guard case .entities(let path) = request.resource, case .entities = path.target,
            path.isSingle(in: schema.model)
        else { throw EditError.noSingleEntity(reference) }
        do {
            return try single(path)
        } catch let error as EditError where error.code == .notFound {
            throw EditError(.invalid, "the entity of the reference '\(reference)' does not exist")
        }
    }

    /// Clients of versions 1 to 3 write keys as their version has them; the links of the tables are those of version 4.
    private func bound(_ reference: String) throws(ODataURLError) -> BoundRequest {
        let model = schema.model
        if !model.version.isV4,
            let request = try? BoundRequest(parsing: reference, in: model, version: model.version)
        {
            return request
        }
        return try BoundRequest(parsing: reference, in: model)
    }

    private func check(_ precondition: Precondition, of entity: RowReference, in table: TableLayout)
        throws
    {
        switch precondition {
        case .none, .exists: return
        case .isAbsent: throw EditError(.preconditionFailed, "the entity exists already")
        case .match(let list):
            guard try list.weaklyContains(text: journal.etag(of: entity.row, in: table)) else {
                throw EditError(.preconditionFailed, "the entity has changed")
            }
        case .noneMatch(let list):
            guard try !list.weaklyContains(text: journal.etag(of: entity.row, in: table)) else {
                throw EditError(.preconditionFailed, "the entity has not changed")
            }
        }
    }
}

extension TableWriting: DeferredChecking {
    package func begin(request: Int) { journal.request = request }
}

// MARK: - Streams

extension TableWriting: StreamWriting {
    /// The streams, for contents that are stored before an entity refers to them.
    var streams: StreamTable { StreamTable(connection) }

    /// Notes that the file has got its data.
    func markFilled() throws { try ServiceFile.markFilled(connection) }

    package func createMedia(_ content: StreamContent, at path: EntityPath) throws -> RowReference {
        guard let source = path.finalSource,
            let plan = schema.plans.plan(for: source, type: path.entityType(in: schema.model))
        else {
            throw EditError(.invalid, "the path leads to no entity set that the metadata names")
        }
        journal.takesIncomplete = true
        defer { journal.takesIncomplete = false }
        let row = try create(EntityBody(plan: plan), at: path)
        try point(row, property: "", to: content)
        return row
    }

    package func setStream(
        _ content: StreamContent,
        at path: EntityPath,
        property: String,
        precondition: Precondition
    ) throws {
        try change(content, at: path, property: property, precondition: precondition)
    }

    /// Removes a stream; a media entity goes with its own (OData 4.01 Part 1 § 11.4.7.3).
    package func removeStream(at path: EntityPath, property: String, precondition: Precondition)
        throws
    {
        try change(nil, at: path, property: property, precondition: precondition)
        if property.isEmpty { try delete(at: path, precondition: .none) }
    }

    private func change(
        _ content: StreamContent?,
        at path: EntityPath,
        property: String,
        precondition: Precondition
    ) throws {
        let entity = try single(path)
        let present = try StreamTable(connection).head(of: entity.row, property: property)
        guard precondition.isMet(by: present) else {
            throw EditError(
                .preconditionFailed,
                present == nil ? "there is no stream yet" : "the stream has changed"
            )
        }
        try journal.willChange(entity.row, in: rows.catalog.ensureTable(entity.source))
        try point(entity, property: property, to: content)
    }

    /// Makes a content, or none, the present one of an entity; the former one goes.
    private func point(_ entity: RowReference, property: String, to content: StreamContent?)
        throws
    {
        let streams = StreamTable(connection)
        var present: Int64?
        if let content {
            guard case .text(let etag) = try journal.nextETag() else { return }
            present = try streams.content(content, etag: etag)
        }
        if let former = try streams.point(entity.row, property: property, to: present) {
            try streams.remove(content: former)
        }
        try streams.writeControl(
            of:
                entity.row,
            in: rows.catalog.ensureTable(entity.source),
            property: property
        )
    }
}
