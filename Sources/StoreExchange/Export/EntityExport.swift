import ODataSQL
import ODataBinding
import ODataSQLite
import ODataValues
package import ODataModel
package import ODataTables

/// Writes entities as data for another store: with their links, and with the entities that they contain.
///
/// Links that follow from foreign keys need no word. Each other link is written at one of its ends, as a service takes it with a new
/// entity: `Name@odata.bind`, in versions 1 to 3 an object that is nothing but an address. Entities without a key, and links to
/// them, are left out: they exist in this store alone.
package struct EntityExport {
    private let query: TableQuery
    private let layout: Layout
    private let format: AnswerFormat
    private let references: ExportedReferences
    private let existing: Set<String>
    private var leads: [NavigationSource: [Lead]] = [:]
    /// Entities that were written, contained ones among them.
    package private(set) var entityCount = 0
    /// Links that were written.
    package private(set) var linkCount = 0

    private var model: EdmModel { layout.model }

    /// A navigation property whose targets are written with the entity.
    private struct Lead {
        var navigation: NavigationPropertyID
        var target: NavigationSource
        /// The link table and its column of the entities' rows; nil where the targets are contained.
        var links: (table: String, near: String, far: String)?
    }

    /// A page of entities.
    package struct Page: Sendable {
        /// JSON objects of the entities.
        package var entities: [[UInt8]]
        /// Where the next page begins; nil where this is the last one.
        package var next: TableQuery.Page?
    }

    package init(_ query: TableQuery, schema: TableSchema) throws {
        var query = query
        query.showsRelatives = false
        self.query = query
        layout = schema.layout
        var format = AnswerFormat(version: schema.model.version)
        format.isData = true
        self.format = format
        existing = try TableCatalog.existingTables(query.connection)
        references = ExportedReferences(query.connection, schema: schema)
    }

    /// Writes a page of the entities of a set or singleton.
    package mutating func page(of source: NavigationSource, _ page: TableQuery.Page) throws -> Page
    {
        guard let table = layout[source] else { return Page(entities: []) }
        let request = try BoundRequest(
            parsing: model.name(of: source) + Self.filter(table),
            in: model
        )
        let answer = try query.entities(
            EntityPath(source: source),
            options: request.options,
            page: page,
            format: format
        )
        let bodies = answer.members.map {
            Array(answer.entities[($0.lowerBound - 1)...$0.upperBound])
        }
        let objects = Dictionary(uniqueKeysWithValues: zip(answer.rows, bodies))
        let whole = try self.whole(objects, of: table)
        return Page(entities: answer.rows.compactMap { whole[$0] }, next: answer.next)
    }

    /// Without a key an entity is a change, and none that another store could hold.
    private static func filter(_ table: TableLayout) -> String {
        guard !table.keyColumns.isEmpty, !table.isSingle else { return "" }
        let keys = table.keyColumns.map {
            table.columns[$0].path.joined(separator: "/") + " ne null"
        }
        return "?$filter=" + keys.joined(separator: " and ")
    }

    // MARK: What belongs to entities

    /// Adds links and contained entities to the objects of rows.
    private mutating func whole(_ objects: [Int64: [UInt8]], of table: TableLayout) throws
        -> [Int64: [UInt8]]
    {
        guard !objects.isEmpty else { return objects }
        entityCount += objects.count
        var objects = objects
        let rows = TableQuery.list(objects.keys.sorted())
        for lead in leads(of: table) {
            let members =
                lead.links == nil ? try contained(lead, rows: rows) : try bindings(lead, rows: rows)
            for (row, member) in members {
                objects[row]?.add(member)
            }
        }
        return objects
    }

    /// The entities that rows contain, as a member of each.
    private mutating func contained(_ lead: Lead, rows: Scalar) throws -> [Int64: [UInt8]] {
        guard let table = layout[lead.target] else { return [:] }
        let hasKey = table.keyColumns.map { " AND \(table.columns[$0].sql) IS NOT NULL" }.joined()
        var children: [(row: Int64, parent: Int64)] = []
        try query.connection.forEachRow(
            """
            SELECT "$id", "$parent" FROM \(table.sql)
            WHERE "$parent" IN (SELECT value FROM json_each(?1))\(hasKey) ORDER BY "$id"
            """,
            [rows]
        ) { children.append(($0.integer(0), $0.integer(1))) }
        guard !children.isEmpty else { return [:] }
        let objects = try query.objects(
            of: lead.target,
            BoundOptions(),
            rows: children.map(\.row),
            format: format
        )
        let whole = try self.whole(objects, of: table)
        let items = Dictionary(grouping: children, by: \.parent)
            .mapValues { $0.compactMap { whole[$0.row] } }
        return items.mapValues { member(model[lead.navigation].name, items: $0, of: lead) }
    }

    /// The links of rows, as a member of each.
    private mutating func bindings(_ lead: Lead, rows: Scalar) throws -> [Int64: [UInt8]] {
        guard let links = lead.links else { return [:] }
        var targets: [Int64: [Int64]] = [:]
        try query.connection.forEachRow(
            """
            SELECT "\(links.near)", "\(links.far)" FROM \(links.table.sqlQuoted)
            WHERE "\(links.near)" IN (SELECT value FROM json_each(?1)) AND "\(links.far)" IS NOT NULL
            ORDER BY rowid
            """,
            [rows]
        ) { targets[$0.integer(0), default: []].append($0.integer(1)) }
        var members: [Int64: [UInt8]] = [:]
        for (row, found) in targets {
            let isCollection = model[lead.navigation].isCollection
            let texts = try (isCollection ? found : found.suffix(1)).compactMap {
                try references.text(of: RowReference(source: lead.target, row: $0))
            }
            guard !texts.isEmpty else { continue }
            linkCount += texts.count
            let suffix = format.isVerbose ? "" : "@odata.bind"
            members[row] = member(
                model[lead.navigation].name + suffix,
                items: texts.map(reference),
                of: lead
            )
        }
        return members
    }

    private func reference(_ text: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        guard format.isVerbose else {
            writer.string(text)
            return writer.bytes
        }
        writer.beginObject()
        writer.name("__metadata")
        writer.beginObject()
        writer.name("uri")
        writer.string(text)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private func member(_ name: String, items: [[UInt8]], of lead: Lead) -> [UInt8] {
        var writer = JSONWriter()
        writer.name(name)
        if model[lead.navigation].isCollection {
            writer.rawArray(Array(items.joined(separator: [UInt8(ascii: ",")])))
        } else if let last = items.last {
            writer.raw(last.span)
        } else {
            writer.null()
        }
        return writer.bytes
    }

    // MARK: The model

    private mutating func leads(of table: TableLayout) -> [Lead] {
        if let known = leads[table.source] { return known }
        let found = table.declaringTypes.flatMap { type in
            model[type].navigationProperties.indices.compactMap {
                lead(NavigationPropertyID(type: type, index: $0), from: table.source)
            }
        }
        leads[table.source] = found
        return found
    }

    /// The way from the entities of a source by a property; nil where nothing is written of it there.
    private func lead(_ navigation: NavigationPropertyID, from source: NavigationSource) -> Lead? {
        guard let target = model.target(of: navigation, from: source),
            let name = layout.tableName(of: target), existing.contains(name)
        else { return nil }
        switch layout.relationship(navigation, from: source, to: target) {
        case .contained: return Lead(navigation: navigation, target: target)
        case .links(let table, let isReversed):
            guard existing.contains(table),
                !isWrittenAtTarget(navigation, from: source, to: target, isReversed: isReversed)
            else { return nil }
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            return Lead(navigation: navigation, target: target, links: (table, near, far))
        case .dependent, .principal, .unbound: return nil
        }
    }

    /// Whether the other end of links writes them: the single one of both, else the one that the link table is named after.
    private func isWrittenAtTarget(
        _ navigation: NavigationPropertyID,
        from source: NavigationSource,
        to target: NavigationSource,
        isReversed: Bool
    ) -> Bool {
        guard let partner = layout.partner(of: navigation), partner != navigation,
            model.target(of: partner, from: target) == source,
            case .links = layout.relationship(partner, from: target, to: source)
        else { return false }
        guard model[navigation].isCollection == model[partner].isCollection else {
            return model[navigation].isCollection
        }
        return isReversed
    }
}

extension [UInt8] {
    /// Adds a member to a JSON object.
    fileprivate mutating func add(_ member: [UInt8]) {
        removeLast()
        if count > 1 { append(UInt8(ascii: ",")) }
        self += member
        append(UInt8(ascii: "}"))
    }
}

extension TableLayout {
    /// Whether there is one entity at most, which needs no key to be found.
    fileprivate var isSingle: Bool {
        if case .singleton = source { true } else { false }
    }
}
