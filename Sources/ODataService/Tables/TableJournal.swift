import ODataSQL
import ODataValues
import ODataAnswers
import ODataHTTP
import ODataModel
import ODataPayload
import ODataTables

/// Sees to what a service keeps besides the values: keys, ETags, computed instants and the change log.
///
/// Rows that change are remembered and logged once, at the end of the transaction, when their keys and relations are final.
final class TableJournal: RowJournal {
    private let rows: RowEditor
    private let names: EntityNames
    private let rules: EntityRules
    private let relations: RelationFinder
    private var relationCheck: RelationCheck
    private let log: ChangeLog?
    private let now: Int64
    private let isImport: Bool
    /// Whether entities may come without their required properties: they are created from their streams.
    var takesIncomplete = false
    private var counter: Int64?
    private var before: [RowReference: Set<RelationFinder.Relation>] = [:]
    private var pending: [Pending] = []
    /// Entities that have got an ETag in this transaction.
    private var versioned: Set<RowReference> = []
    /// Entities made or changed whose alternate keys no other one may have, each with the last request that did it.
    private var uniqueRows: [RowReference: Int?] = [:]
    /// Entities that cannot be without a principal which was deleted, and the request that deleted it.
    private var bereft: [(dependent: ForeignKeyRelease.Dependent, request: Int?)] = []
    /// The request of the change set that is carried out, by its place; nil outside of one.
    var request: Int? {
        get { relationCheck.trail.request }
        set { relationCheck.trail.request = newValue }
    }

    /// What is logged at the end.
    private enum Pending {
        case upserted(RowReference)
        case entry(ChangeLog.Entry)
    }

    init(_ rows: RowEditor, log: ChangeLog?, now: Int64, isImport: Bool) {
        self.rows = rows
        self.log = log
        self.now = now
        self.isImport = isImport
        names = EntityNames(rows)
        rules = EntityRules(layout: rows.layout, tolerance: isImport ? .unstatedNulls : [])
        relations = RelationFinder(rows: rows)
        relationCheck = RelationCheck(rows: rows)
    }

    func willTake(_ body: inout EntityBody, for row: Int64?, in table: TableLayout) throws {
        if let row, let etag = body.control[.etag], !isImport {
            try check(etag, of: row, in: table)
        }
        ComplexDefaults(model: rows.layout.model).complete(&body, in: table)
    }

    /// Checks the ETag that a body states of an entity in it (OData 4.01 Part 1 § 11.4.1.1).
    private func check(_ etag: String, of row: Int64, in table: TableLayout) throws {
        guard let list = EntityTagList(etag) else {
            throw EditError(.invalid, "an ETag in the body is none")
        }
        guard try list.weaklyContains(text: self.etag(of: row, in: table)) else {
            throw EditError(.preconditionFailed, "an entity in the body has changed")
        }
    }

    /// The ETag that a row has.
    func etag(of row: Int64, in table: TableLayout) throws -> String? {
        guard case .text(let etag)? = try rows.value(SystemColumn.etag.sql, of: row, in: table)
        else { return nil }
        return etag
    }

    // MARK: Creating

    func prepare(
        _ body: inout EntityBody,
        as row: Int64,
        in table: TableLayout
    ) throws -> SystemValues {
        if !isImport {
            rules.removeIgnored(from: &body, in: table, isUpdate: false)
            rules.setComputedInstants(of: &body, in: table, now: now)
        }
        let computed = ComputedValues(rows: rows, now: now)
        try computed.complete(&body, in: table, isImport: isImport)
        let missing = computed.completeDefaults(of: &body, as: body.plan.type, in: table)
        if let missing, !takesIncomplete {
            throw EditError(.invalid, "\(missing) is missing", at: missing)
        }
        rules.setAbsentCollections(of: &body, in: table)
        try KeyMaker(rows: rows).completeKey(of: &body, in: table)
        try rules.check(body, in: table, isComplete: !takesIncomplete)
        return SystemValues(etag: try nextETag())
    }

    func inserted(_ row: Int64, in table: TableLayout) throws {
        versioned.insert(RowReference(source: table.source, row: row))
        noteUnique(row, in: table)
        if !isImport { relationCheck.created(row, in: table, isIncomplete: takesIncomplete) }
        guard log != nil else { return }
        let entity = RowReference(source: table.source, row: row)
        before[entity] = []
        pending.append(.upserted(entity))
    }

    private func noteUnique(_ row: Int64, in table: TableLayout) {
        guard !isImport, AlternateKeyCheck(rows: rows).isNeeded(for: table) else { return }
        uniqueRows.updateValue(request, forKey: RowReference(source: table.source, row: row))
    }

    // MARK: Changing

    func willChange(_ row: Int64, in table: TableLayout) throws {
        let entity = RowReference(source: table.source, row: row)
        versioned.insert(entity)
        noteUnique(row, in: table)
        if !isImport { try relationCheck.willChange(row, in: table) }
        try rows.set([.etag: try nextETag()], of: row, in: table)
        if !isImport { try setComputedInstants(of: row, in: table) }
        guard log != nil, before[entity] == nil else { return }
        before[entity] = try relations.relations(of: row, in: table)
        pending.append(.upserted(entity))
    }

    private func setComputedInstants(of row: Int64, in table: TableLayout) throws {
        guard case .integer(let code)? = try rows.value("\"$type\"", of: row, in: table),
            table.types.indices.contains(Int(code))
        else { return }
        var body = EntityBody(
            plan: EntityPlan(
                type: table.types[Int(code)],
                destination: 0,
                members: [],
                isOpen: false
            )
        )
        rules.setComputedInstants(of: &body, in: table, now: now)
        if !body.values.isEmpty { try rows.update(row, in: table, with: body) }
    }

    // MARK: Deleting

    func willDelete(_ row: Int64, in table: TableLayout) throws {
        try releaseDependents(of: row, in: table)
        try noteEndedLinks(of: row)
        let entity = RowReference(source: table.source, row: row)
        let streams = StreamTable(rows.connection)
        for content in try streams.unpoint(row) { try streams.remove(content: content) }
        guard log != nil, let url = try names.url(of: entity) else { return }
        let former = try before[entity] ?? relations.relations(of: row, in: table)
        before[entity] = nil
        pending.append(.entry(entry(entity, url: url, change: .deleted)))
        for relation in former { try add(relation, isAdded: false, target: url) }
        try unlinkOthers(from: row, url)
    }

    /// Takes the key of a row that goes away from the entities that hold it.
    private func releaseDependents(of row: Int64, in table: TableLayout) throws {
        let release = ForeignKeyRelease(rows: rows)
        for dependent in try release.dependents(of: row, in: table) {
            guard let here = rows.layout[dependent.entity.source] else { continue }
            let columns = release.columns(of: dependent, in: here)
            guard !columns.isEmpty else {
                bereft.append((dependent, request))
                continue
            }
            var body = EntityBody(
                plan: EntityPlan(type: here.entityType, destination: 0, members: [], isOpen: false)
            )
            for column in columns { body.set(.null, slot: column) }
            try willChange(dependent.entity.row, in: here)
            try rows.update(dependent.entity.row, in: here, with: body)
        }
    }

    /// Who is linked with a row that goes may not be without the link.
    private func noteEndedLinks(of row: Int64) throws {
        try forEachLinked(to: row, where: relationCheck.isRequired) { other, navigation in
            try noteEnded(navigation, ofRow: other, byDeletion: true)
        }
    }

    /// Whoever is linked with a row that goes has a link less.
    private func unlinkOthers(from row: Int64, _ url: String) throws {
        try forEachLinked(to: row) { try unlink($0, navigation: $1, url: url) }
    }

    /// Passes on the rows that are linked with a row, each with the navigation property that leads from it to the row.
    private func forEachLinked(
        to row: Int64,
        where isWanted: (NavigationPropertyID) -> Bool = { _ in true },
        body: (Int64, NavigationPropertyID) throws -> Void
    ) throws {
        for table in try rows.catalog.linkTables() {
            guard let navigation = relations.navigation(ofLinkTable: table) else { continue }
            let ends =
                [(navigation, true)]
                + (rows.layout.partner(of: navigation).map { [($0, false)] } ?? [])
            for (end, isReversed) in ends where isWanted(end) {
                for other in try rows.linked(to: row, table: table, isReversed: isReversed) {
                    try body(other, end)
                }
            }
        }
    }

    private func unlink(_ row: Int64, navigation: NavigationPropertyID, url: String) throws {
        guard let owner = try names.owner(ofRow: row, declaring: navigation.type) else { return }
        let name = rows.layout.model[navigation].name
        try add(.init(owner: owner, navigation: name), isAdded: false, target: url)
    }

    // MARK: Links

    /// Notes that a request has ended a relation, which the metadata may demand.
    func ended(_ navigation: NavigationPropertyID, of entity: RowReference) {
        if !isImport { relationCheck.ended(navigation, of: entity) }
    }

    /// Notes the ends of a link that is removed: those whom a request names, and those who lose theirs to another.
    func willLink(_ source: Int64, to target: Int64, table: String, isAdded: Bool) throws {
        guard !isAdded, let navigation = relations.navigation(ofLinkTable: table) else { return }
        try changeETags(navigation, of: source, and: target)
        try noteLink(navigation, from: source, to: target, isAdded: false)
        try noteEnded(navigation, ofRow: source)
        if let partner = rows.layout.partner(of: navigation) {
            try noteEnded(partner, ofRow: target)
        }
    }

    private func noteEnded(
        _ navigation: NavigationPropertyID,
        ofRow row: Int64,
        byDeletion isDeletion: Bool = false
    ) throws {
        guard !isImport, relationCheck.isRequired(navigation),
            let owner = try names.owner(ofRow: row, declaring: navigation.type)
        else { return }
        relationCheck.ended(navigation, of: owner, byDeletion: isDeletion)
    }

    /// Notes a link that has been made; those that go have been noted before.
    func linked(_ source: Int64, to target: Int64?, table: String, isAdded: Bool) throws {
        guard isAdded, let target, let navigation = relations.navigation(ofLinkTable: table)
        else { return }
        try changeETags(navigation, of: source, and: target)
        try noteLink(navigation, from: source, to: target, isAdded: true)
    }

    /// An entity whose links change is another version (OData 4.01 Part 1 § 11.4.1.1).
    private func changeETags(
        _ navigation: NavigationPropertyID,
        of source: Int64,
        and target: Int64
    ) throws {
        guard !isImport else { return }
        let partner = rows.layout.partner(of: navigation)
        let ends = [(source, navigation.type)] + (partner.map { [(target, $0.type)] } ?? [])
        for (row, type) in ends {
            guard let owner = try names.owner(ofRow: row, declaring: type),
                let table = rows.layout[owner.source], !versioned.contains(owner)
            else { continue }
            try willChange(row, in: table)
        }
    }

    private func noteLink(
        _ navigation: NavigationPropertyID,
        from source: Int64,
        to target: Int64,
        isAdded: Bool
    ) throws {
        guard log != nil, let near = try names.owner(ofRow: source, declaring: navigation.type)
        else { return }
        let model = rows.layout.model
        let far = try model[navigation].target.flatMap {
            try names.owner(ofRow: target, declaring: $0)
        }
        let farURL = try far.flatMap { try names.url(of: $0) } ?? ""
        try add(
            .init(owner: near, navigation: model[navigation].name),
            isAdded: isAdded,
            target: farURL
        )
        guard let far, let partner = rows.layout.partner(of: navigation),
            let nearURL = try names.url(of: near)
        else { return }
        try add(
            .init(owner: far, navigation: model[partner].name),
            isAdded: isAdded,
            target: nearURL
        )
    }

    private func add(_ relation: RelationFinder.Relation, isAdded: Bool, target: String) throws {
        guard let url = try names.url(of: relation.owner) else { return }
        let name = relation.navigation
        pending.append(
            .entry(
                entry(
                    relation.owner,
                    url: url,
                    change: isAdded
                        ? .linked(navigation: name, target: target)
                        : .unlinked(navigation: name, target: target)
                )
            )
        )
    }

    private func entry(
        _ entity: RowReference,
        url: String,
        change: ChangeLog.Change
    ) -> ChangeLog.Entry {
        ChangeLog.Entry(
            source: rows.layout.model.name(of: entity.source),
            row: entity.row,
            url: url,
            change: change
        )
    }

    // MARK: End

    /// Writes the log and keeps the ETag counter; the last thing in the transaction.
    func finish(_ editor: EntityEditor) throws {
        try relationCheck.check(editor)
        try checkAlternateKeys()
        let release = ForeignKeyRelease(rows: rows)
        for (dependent, request) in bereft {
            try blaming(request) { try release.checkIsReleased(dependent) }
        }
        if let counter { try rows.connection.setMetaValue("etag", to: .integer(counter)) }
        guard let log else { return }
        // Relations that the changes made are added at the end of `pending` while it is gone through.
        var index = 0
        while index < pending.count {
            switch pending[index] {
            case .entry(let entry): try log.append(entry)
            case .upserted(let entity): try finish(entity, log: log)
            }
            index += 1
        }
        pending = []
    }

    /// Of two entities with the same key, the one that came last is the fault.
    private func checkAlternateKeys() throws {
        let check = AlternateKeyCheck(rows: rows)
        for (entity, request) in uniqueRows.sorted(by: { ($0.value ?? 0) > ($1.value ?? 0) }) {
            try blaming(request) { try check.check(entity) }
        }
    }

    private func blaming(_ request: Int?, check: () throws -> Void) throws {
        do { try check() } catch { throw RequestTrail.blamed(error, on: request) }
    }

    private func finish(_ entity: RowReference, log: ChangeLog) throws {
        guard let former = before[entity], let table = rows.layout[entity.source],
            let url = try names.url(of: entity)
        else { return }
        try log.append(entry(entity, url: url, change: .upserted))
        let present = try relations.relations(of: entity.row, in: table)
        for relation in former.subtracting(present) {
            try add(relation, isAdded: false, target: url)
        }
        for relation in present.subtracting(former) {
            try add(relation, isAdded: true, target: url)
        }
    }

    /// A weak ETag: two representations of an entity differ in format, not in state (RFC 9110 § 8.8.3).
    func nextETag() throws -> Scalar {
        if counter == nil, case .integer(let last)? = try rows.connection.metaValue("etag") {
            counter = last
        }
        let next = (counter ?? 0) + 1
        counter = next
        return .text("W/\"\(next)\"")
    }
}
