import ODataAnswers
import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues

/// Finds the entities whose foreign keys a deletion leaves without a principal, where the model declares no `OnDelete`: they lose the
/// key, or forbid the deletion (OData 4.01 Part 1 § 11.4.5).
struct ForeignKeyRelease {
    let rows: RowEditor
    private var layout: Layout { rows.layout }
    private var model: EdmModel { rows.layout.model }

    /// An entity that holds the key of another one.
    struct Dependent {
        var entity: RowReference
        var relation: PrincipalRelation
    }

    /// Returns the entities that hold the key of a row.
    func dependents(of row: Int64, in table: TableLayout) throws -> [Dependent] {
        guard model.version.isV4 else { return [] }
        return try layout.sources.flatMap { source in
            try layout.principals(of: source)
                .filter { $0.target == table.source && !isReleased($0.navigation) }
                .flatMap { try dependents(of: row, in: table, from: source, by: $0) }
        }
    }

    /// Whether what the model says of the dependent entities has taken the key from them: a default may be the very key that goes.
    private func isReleased(_ navigation: NavigationPropertyID) -> Bool {
        guard let action = action(navigation) else { return false }
        return action != .setDefault
    }

    private func action(_ navigation: NavigationPropertyID) -> OnDelete? {
        layout.partner(of: navigation).flatMap { model[$0].onDelete }
    }

    private func dependents(
        of row: Int64,
        in table: TableLayout,
        from source: NavigationSource,
        by relation: PrincipalRelation
    ) throws -> [Dependent] {
        guard let here = layout[source], try rows.catalog.exists(here.name) else { return [] }
        let id = SystemColumn.id.sql
        let sql =
            "SELECT d.\(id) FROM \(here.sql) AS d JOIN \(table.sql) AS p"
            + " ON \(isPrincipal(relation, here: here, there: table)) WHERE p.\(id) = ?1"
        var found: [Dependent] = []
        try rows.connection.forEachRow(sql, [.integer(row)]) { statement in
            let entity = RowReference(source: source, row: statement.integer(0))
            // An entity that refers to itself goes with its key.
            guard source != table.source || entity.row != row else { return }
            found.append(Dependent(entity: entity, relation: relation))
        }
        return found
    }

    private func isPrincipal(_ relation: PrincipalRelation, here: TableLayout, there: TableLayout)
        -> String
    {
        relation.pairs
            .map { "p.\(there.columns[$0.there].sql) = d.\(here.columns[$0.here].sql)" }
            .joined(separator: " AND ")
    }

    /// The columns to set to null; none where the entity cannot be without the relation.
    func columns(of dependent: Dependent, in table: TableLayout) -> [Int] {
        guard model[dependent.relation.navigation].isNullable,
            action(dependent.relation.navigation) == nil
        else { return [] }
        return dependent.relation.pairs.map(\.here).filter {
            table.columns[$0].isNullable && table.columns[$0].keyIndex == nil
        }
    }

    /// - Throws: `ServiceError` 409 where an entity still holds a key that is no entity's: one that goes in the same transaction, or gets
    ///   another principal in it, does not.
    func checkIsReleased(_ dependent: Dependent) throws {
        let relation = dependent.relation
        guard let here = layout[dependent.entity.source], let there = layout[relation.target]
        else { return }
        let isSet = relation.pairs.map { "d.\(here.columns[$0.here].sql) IS NOT NULL" }
        let sql =
            "SELECT 1 FROM \(here.sql) AS d WHERE d.\(SystemColumn.id.sql) = ?1 AND "
            + isSet.joined(separator: " AND ") + " AND NOT EXISTS (SELECT 1 FROM \(there.sql) AS p"
            + " WHERE \(isPrincipal(relation, here: here, there: there)))"
        guard try rows.connection.integer(sql, [.integer(dependent.entity.row)]) != nil else {
            return
        }
        throw Self.refusal(of: dependent.entity.source, relation.navigation, in: model)
    }

    /// Refuses the deletion of an entity that entities of a set cannot be without.
    static func refusal(
        of dependents: NavigationSource,
        _ navigation: NavigationPropertyID,
        in model: EdmModel
    ) -> ServiceError {
        ServiceError(
            409,
            "entities of \(model.name(of: dependents)) cannot be without their"
                + " \(model[navigation].name): delete or change them first"
        )
    }
}
