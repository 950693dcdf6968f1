import ODataAnswers
import ODataModel
import ODataModelComparison
import ODataPayload
import ODataSQLite
import ODataSQL
import ODataTables
import StoreRecords

/// A waiting or refused request with values that the old model takes and the new one does not.
///
/// Where the models are compatible, that is a value of a dynamic property which is none of what is declared by the name now, at the
/// top or inside of a complex value.
struct QueuedMisfit {
    let entry: QueueEntry
    let reason: String

    /// Finds those among some requests.
    static func all(
        among entries: [QueueEntry],
        in plan: UpgradePlan,
        on connection: SQLiteConnection
    ) throws -> [QueuedMisfit] {
        // What is compatible takes nothing away that is declared.
        guard plan.new.model.version.isV4,
            plan.old.model.hasOpenTypes || plan.comparison.verdict == .incompatible
        else { return [] }
        return try entries.compactMap { entry in
            guard entry.isChangeOfValues, let text = entry.body,
                let table = plan.old.table(of: entry),
                let type = try type(of: entry, in: table, plan.old, connection)
            else { return nil }
            let json = Array(text.utf8)
            guard fault(json, of: type, in: table, plan.old) == nil,
                let after = plan.new.layout.table(named: table.name),
                let now = plan.new.model.structuredType(named: plan.old.model[type].name),
                let reason = fault(json, of: now, in: after, plan.new)
            else { return nil }
            return QueuedMisfit(entry: entry, reason: reason)
        }
    }

    /// What a model has against a body.
    private static func fault(
        _ json: [UInt8],
        of type: StructuredTypeID,
        in table: TableLayout,
        _ schema: TableSchema
    ) -> String? {
        guard let plan = schema.plans.plan(for: table.source, type: type) else { return nil }
        do {
            guard let body = try EntityBodyReader.readStrictly(json, plan: plan, in: schema) else {
                return nil
            }
            try EntityRules(layout: schema.layout, tolerance: .absentMembers)
                .check(body, in: table, isComplete: false)
            return nil
        } catch let error as EditError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    /// The type of the entity that a request is about.
    private static func type(
        of entry: QueueEntry,
        in table: TableLayout,
        _ schema: TableSchema,
        _ connection: SQLiteConnection
    ) throws -> StructuredTypeID? {
        let rows = RowEditor(connection, layout: schema.layout)
        return try entry.row.map { try rows.heldType($0, in: table) } ?? table.entityType
    }
}

extension EdmModel {
    fileprivate var hasOpenTypes: Bool { structuredTypes.contains(where: \.isOpen) }
}
