import ODataSQL
import ODataSQLite
import StoreRecords
import ODataValues
import ODataModel
import ODataTables

/// Names what one member of a change set creates in the members behind it.
///
/// By its Content-ID in the URL, which any service takes (OData 4.01 Part 1 § 11.7.4.1); in a body only where the service says that it
/// takes it there (`Capabilities.BatchSupport/ReferencesInRequestBodiesSupported`). Else a creation that is bound to the new entity is
/// sent to the collection of that entity. Services of the versions before 4 cannot say it; their clients have always done it.
struct ChangeSetReferences {
    /// A creation of the same change set.
    private struct Creation {
        var row: RowReference
        var contentID: Int
        /// Whether the entity may get another key than the one that was sent.
        var isKeyOpen: Bool
        /// Whether the key that was sent may come to be another entity's.
        var isKeyUnsafe: Bool
    }

    /// What a member says of the others.
    struct Naming {
        var url: String
        var body: String?
        /// Whether it can name another member only in a way that the service does not take.
        var isUnsayable = false
    }

    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let identities: RequestIdentities
    private var creations: [Creation] = []
    private var links: EntityLink { EntityLink(RowEditor(connection, layout: schema.layout)) }

    init(_ connection: SQLiteConnection, schema: TableSchema, identities: RequestIdentities) {
        (self.connection, self.schema, self.identities) = (connection, schema, identities)
    }

    /// Lets the members behind a creation name what it creates.
    mutating func add(_ entry: QueueEntry, contentID: Int) throws {
        guard entry.isCreation, let row = entry.row,
            let source = schema.source(of: entry),
            let table = schema.layout[source]
        else { return }
        let keys = KeptKeys(connection)
        let isOpen = try !keys.areKept(in: table)
        // A GUID generated here is unique.
        let isUnique = table.keyColumns.contains { table.columns[$0].form == .guid }
        creations.append(
            Creation(
                row: RowReference(source: source, row: row),
                contentID: contentID,
                isKeyOpen: isOpen,
                isKeyUnsafe: try isOpen && (!isUnique || keys.areReplaced(in: table))
            )
        )
    }

    /// Returns URL and body of a member, in OData 4.
    func naming(_ entry: QueueEntry) throws -> Naming {
        let entry = try linkedByID(entry)
        let url = try identities.resolved(addressed(entry.url), inUnit: contentIDs)
        guard let text = entry.body else { return Naming(url: url, body: nil) }
        let plain = try identities.resolved(text, inUnit: [:])
        let body = try identities.resolved(text, inUnit: contentIDs)
        let namesByKey = try namesUnsafeKey(entry)
        guard body != plain || namesByKey else { return Naming(url: url, body: body) }
        if schema.model.takesReferencesInBodies, !namesByKey { return Naming(url: url, body: body) }
        if let other = try throughCollection(entry) { return other }
        if !schema.model.version.isV4, !namesByKey { return Naming(url: url, body: body) }
        return Naming(url: url, body: body, isUnsayable: true)
    }

    private var contentIDs: [Int64: Int] {
        Dictionary(creations.map { ($0.row.row, $0.contentID) }, uniquingKeysWith: { $1 })
    }

    /// A URL whose first segment is the Content-ID where the key that was sent may not be the one that the service gives.
    private func addressed(_ url: String) throws -> String {
        for creation in creations where creation.isKeyOpen {
            guard let link = try links.link(creation.row), url.hasPrefix(link) else { continue }
            let rest = url.dropFirst(link.count)
            guard rest.isEmpty || rest.hasPrefix("/") else { continue }
            return "$\(creation.contentID)" + rest
        }
        return url
    }

    // MARK: Bodies

    /// Links to new entities by their Content-IDs where the service may give these other keys than those that were sent.
    private func linkedByID(_ entry: QueueEntry) throws -> QueueEntry {
        let unsafe = creations.filter(\.isKeyUnsafe)
        guard !unsafe.isEmpty,
            schema.model.takesReferencesInBodies || entry.isLinkChange && !schema.model.version.isV4
        else { return entry }
        var entry = entry
        guard entry.isLinkChange else {
            entry.body = try boundByID(entry, unsafe) ?? entry.body
            return entry
        }
        for creation in unsafe {
            guard let link = try links.link(creation.row) else { continue }
            entry.body = entry.body?.replacing("\"\(link)\"", with: "\"$\(creation.contentID)\"")
        }
        return entry
    }

    /// The body of a change whose references name new entities by their Content-IDs; nil where none does.
    private func boundByID(_ entry: QueueEntry, _ creations: [Creation]) throws -> String? {
        guard var body = try QueuedBody.read(entry, in: schema) else { return nil }
        var names: [String: String] = [:]
        for creation in creations {
            guard let link = try links.link(creation.row), !LocalIDText.isIn(link) else { continue }
            names[link] = "$\(creation.contentID)"
        }
        guard body.references.contains(where: names.keys.contains) else { return nil }
        QueuedBody(schema).replaceLinks(in: &body) { names[$0] ?? $0 }
        return String(decoding: try EntityBodyWriter.json(body, in: schema), as: UTF8.self)
    }

    /// Whether a body names a new entity by the key that was sent, at a service that may give others.
    private func namesUnsafeKey(_ entry: QueueEntry) throws -> Bool {
        let unsafe = creations.filter(\.isKeyUnsafe)
        guard !unsafe.isEmpty else { return false }
        let body = try QueuedBody.read(entry, in: schema)
        for creation in unsafe {
            guard let link = try links.link(creation.row), !LocalIDText.isIn(link) else { continue }
            if entry.isLinkChange, entry.body?.contains("\"\(link)\"") ?? false { return true }
            guard let body else { continue }
            if body.references.contains(link) { return true }
            if try holdsKey(of: creation.row, body) { return true }
        }
        return false
    }

    private func holdsKey(of row: RowReference, _ body: EntityBody) throws -> Bool {
        guard let table = schema.layout[row.source],
            let key = try RowEditor(connection, layout: schema.layout).key(of: row.row, in: table)
        else { return false }
        let pair = QueuedNames.KeyPair(table: table, old: [key], new: key)
        return QueuedBody(schema).holdsKey(pair, body: body)
    }

    /// A creation that is bound to one new entity, as a request to that entity's collection, which makes the same link
    /// (OData 4.01 Part 1 § 11.4.2); nil where there is no such collection, or the body names further new entities.
    private func throughCollection(_ entry: QueueEntry) throws -> Naming? {
        guard entry.method == "POST",
            let source = schema.source(of: entry),
            entry.url == schema.model.name(of: source),
            var body = try QueuedBody.read(entry, in: schema),
            let (creation, navigation) = try takeOwner(from: &body, source),
            let partner = schema.layout.partner(of: navigation),
            schema.model[partner].isCollection,
            schema.model.target(of: partner, from: creation.row.source) == source,
            try !namesCreation(body)
        else { return nil }
        return Naming(
            url: "$\(creation.contentID)/" + schema.model[partner].name,
            body: try identities.resolved(
                String(decoding: EntityBodyWriter.json(body, in: schema), as: UTF8.self),
                inUnit: [:]
            )
        )
    }

    /// Takes a reference or a foreign key to a new entity out of a body; answers which, and the property that it stands for.
    private func takeOwner(from body: inout EntityBody, _ source: NavigationSource) throws
        -> (Creation, NavigationPropertyID)?
    {
        for (index, binding) in body.bindings.enumerated() {
            guard let creation = try creation(named: binding.reference) else { continue }
            body.bindings.remove(at: index)
            return (creation, binding.navigation)
        }
        for relation in schema.layout.principals(of: source) {
            for creation in creations where creation.row.source == relation.target {
                guard try holdsKey(of: creation.row, body) else { continue }
                let slots = Set(relation.pairs.map(\.here))
                body.values.removeAll { slots.contains($0.slot) }
                return (creation, relation.navigation)
            }
        }
        return nil
    }

    private func creation(named reference: String) throws -> Creation? {
        try creations.first { try links.link($0.row) == reference }
    }

    private func namesCreation(_ body: EntityBody) throws -> Bool {
        try creations.contains { creation in
            if let link = try links.link(creation.row), body.references.contains(link) {
                return true
            }
            return try holdsKey(of: creation.row, body)
        }
    }
}
