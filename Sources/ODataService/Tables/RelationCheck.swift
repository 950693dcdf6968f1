import ODataAnswers
import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues

/// Refuses foreign keys without an entity, and entities without a relation that the metadata demands (OData 4.01 Part 1 § 11.4.2.2,
/// OData CSDL XML 4.01 § 8.3).
///
/// Rows are noted while a transaction changes them and checked at its end: within a change set, the order of the requests is free.
struct RelationCheck {
    /// What the transaction does to a row.
    private enum Change {
        case created(isIncomplete: Bool)
        /// The columns of the foreign keys before, by their places.
        case changed([Int: Scalar])
    }

    /// A relation that a request has ended.
    private struct Ended: Hashable {
        var entity: RowReference
        var navigation: NavigationPropertyID
    }

    private let rows: RowEditor
    private var changes: [RowReference: Change] = [:]
    private var ended: Set<Ended> = []
    /// Those of them whose target was deleted.
    private var bereft: Set<Ended> = []
    /// The noted rows in the order of the requests, so that the first fault is reported.
    private var order: [RowReference] = []
    /// The requests that have changed the noted rows.
    var trail = RequestTrail()
    private var model: EdmModel { rows.layout.model }

    init(rows: RowEditor) {
        self.rows = rows
    }

    // MARK: Noting

    /// Notes a new row; one made of a stream gets its relations by a later request.
    mutating func created(_ row: Int64, in table: TableLayout, isIncomplete: Bool) {
        guard model.version.isV4 else { return }
        let entity = RowReference(source: table.source, row: row)
        note(entity, .created(isIncomplete: isIncomplete))
        trail.note(entity, before: nil)
    }

    /// Notes the foreign keys of a row before its first change.
    mutating func willChange(_ row: Int64, in table: TableLayout) throws {
        let entity = RowReference(source: table.source, row: row)
        let isNew = changes[entity] == nil
        guard model.version.isV4, isNew || trail.isFirstChange(of: entity) else { return }
        let places = Set(relations(of: table.source).flatMap(\.pairs).map(\.here))
        guard !places.isEmpty else { return }
        let before = try values(at: places, of: row, in: table)
        if isNew { note(entity, .changed(before)) }
        trail.note(entity, before: before)
    }

    /// Notes an entity that has lost the target of a navigation property, if it always has to have one.
    mutating func ended(
        _ navigation: NavigationPropertyID,
        of entity: RowReference,
        byDeletion isDeletion: Bool = false
    ) {
        guard model.version.isV4, isRequired(navigation) else { return }
        let relation = Ended(entity: entity, navigation: navigation)
        trail.noteEnd(of: navigation, of: entity)
        if isDeletion { bereft.insert(relation) }
        if ended.insert(relation).inserted { order.append(entity) }
    }

    private mutating func note(_ entity: RowReference, _ change: Change) {
        changes[entity] = change
        order.append(entity)
    }

    /// Whether every entity has to have a target of the navigation property.
    func isRequired(_ navigation: NavigationPropertyID) -> Bool {
        guard model[navigation].isRequired else { return false }
        // A contained entity has its parent.
        return rows.layout.partner(of: navigation).map { !model[$0].containsTarget } ?? true
    }

    // MARK: Checking

    /// Checks the noted rows that are still there.
    ///
    /// - Throws: `EditError` that names the property.
    func check(_ editor: EntityEditor) throws {
        for entity in order {
            guard let table = rows.layout[entity.source],
                let type = try rows.type(of: entity.row, in: table)
            else { continue }
            if let change = changes[entity] {
                for relation in relations(of: entity.source) {
                    try check(relation, of: entity, in: table, after: change)
                }
            }
            for navigation in try demanded(of: entity, type: type)
            where try editor.related(entity, id: navigation).isEmpty {
                throw RequestTrail.blamed(
                    withoutTarget(entity, navigation),
                    on: trail.ender(of: navigation, of: entity)
                )
            }
        }
    }

    private func withoutTarget(_ entity: RowReference, _ navigation: NavigationPropertyID)
        -> any Error
    {
        bereft.contains(Ended(entity: entity, navigation: navigation))
            ? ForeignKeyRelease.refusal(of: entity.source, navigation, in: model)
            : missing(navigation)
    }

    /// The navigation properties that have to lead to an entity now, beside those with a foreign key.
    private func demanded(of entity: RowReference, type: StructuredTypeID) throws
        -> [NavigationPropertyID]
    {
        guard case .created(isIncomplete: false)? = changes[entity] else {
            return ended.filter { $0.entity == entity }.map(\.navigation)
        }
        let withKeys = rows.layout.principals(of: entity.source).map(\.navigation)
        return model.lineage(of: type).flatMap { type in
            model[type].navigationProperties.indices
                .map { NavigationPropertyID(type: type, index: $0) }
                .filter {
                    isRequired($0) && !withKeys.contains($0)
                        && model.target(of: $0, from: entity.source) != nil
                }
        }
    }

    private func check(
        _ relation: PrincipalRelation,
        of entity: RowReference,
        in table: TableLayout,
        after change: Change
    ) throws {
        let places = Set(relation.pairs.map(\.here))
        let present = try values(at: places, of: entity.row, in: table)
        // What is as before is no fault of this request.
        if case .changed(let former) = change, places.allSatisfy({ former[$0] == present[$0] }) {
            return
        }
        guard let fault = try fault(of: relation, present, of: entity, in: table, after: change)
        else { return }
        throw RequestTrail.blamed(fault, on: trail.setter(of: present, of: entity))
    }

    /// What is wrong with the values of a foreign key; nil where nothing is.
    private func fault(
        of relation: PrincipalRelation,
        _ present: [Int: Scalar],
        of entity: RowReference,
        in table: TableLayout,
        after change: Change
    ) throws -> EditError? {
        guard !present.values.contains(.null) else {
            if case .created(isIncomplete: true) = change { return nil }
            return isRequired(relation.navigation) ? missing(relation.navigation) : nil
        }
        guard model.isBound(relation.navigation, from: entity.source),
            try !hasPrincipal(entity, by: relation, in: table)
        else { return nil }
        return dangling(relation, present, in: table)
    }

    private func relations(of source: NavigationSource) -> [PrincipalRelation] {
        rows.layout.principals(of: source).filter {
            isRequired($0.navigation) || model.isBound($0.navigation, from: source)
        }
    }

    private func values(at places: Set<Int>, of row: Int64, in table: TableLayout) throws
        -> [Int: Scalar]
    {
        var found: [Int: Scalar] = [:]
        for place in places {
            found[place] = try rows.value(table.columns[place].sql, of: row, in: table) ?? .null
        }
        return found
    }

    private func hasPrincipal(
        _ entity: RowReference,
        by relation: PrincipalRelation,
        in table: TableLayout
    ) throws -> Bool {
        guard let there = rows.layout[relation.target], try rows.catalog.exists(there.name) else {
            return false
        }
        let same = relation.pairs.map {
            "b.\(there.columns[$0.there].sql) = a.\(table.columns[$0.here].sql)"
        }
        let sql =
            "SELECT 1 FROM \(table.sql) AS a JOIN \(there.sql) AS b ON "
            + same.joined(separator: " AND ") + " WHERE a.\(SystemColumn.id.sql) = ?1 LIMIT 1"
        return try rows.connection.integer(sql, [.integer(entity.row)]) != nil
    }

    // MARK: Refusals

    private func missing(_ navigation: NavigationPropertyID) -> EditError {
        let name = model[navigation].name
        return EditError(
            .invalid,
            "\(name) is missing: by the metadata, an entity always has one; name it by"
                + " \(name)@odata.bind or by its foreign key",
            at: name
        )
    }

    private func dangling(
        _ relation: PrincipalRelation,
        _ values: [Int: Scalar],
        in table: TableLayout
    ) -> EditError {
        let said = relation.pairs.map { pair in
            let column = table.columns[pair.here]
            return column.path.joined(separator: "/") + " is "
                + text(values[pair.here] ?? .null, in: column)
        }
        return EditError(
            .invalid,
            "\(said.joined(separator: " and ")), but \(model.name(of: relation.target)) has no such entity"
                + " for \(model[relation.navigation].name)",
            at: relation.pairs.first.map { table.columns[$0.here].path.joined(separator: "/") }
        )
    }

    /// A value as in a URL, without percent-encoding.
    private func text(_ value: Scalar, in column: Column) -> String {
        guard let form = column.form else { return "not in the set" }
        var bytes: [UInt8] = []
        form.write(value, in: model, style: .v4, into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        return form == .string ? "'\(text)'" : text
    }
}
