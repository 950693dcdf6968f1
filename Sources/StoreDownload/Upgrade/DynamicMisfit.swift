import ODataModel
import ODataPayload
import ODataSQL
import ODataSQLite
import ODataTables
import ODataText
import ODataValues
import StoreRecords

/// A waiting request that gives a dynamic property a value which is none of the type that an upgraded model declares for it.
struct DynamicMisfit {
    let entry: QueueEntry
    let reason: String

    /// Finds those among some requests.
    static func all(
        among entries: [QueueEntry],
        in plan: UpgradePlan,
        on connection: SQLiteConnection
    ) throws -> [DynamicMisfit] {
        let changes = plan.tables.map(\.change).filter(\.takesDynamic)
        guard !changes.isEmpty, plan.new.model.version.isV4 else { return [] }
        return try entries.compactMap { entry in
            guard
                let change = changes.first(where: {
                    plan.old.model.name(of: $0.old.source) == entry.source
                }),
                let tree = entry.body.flatMap({ JSONTree(Array($0.utf8)) }),
                let type = try type(of: entry, change, in: plan, on: connection),
                let entityPlan = plan.new.plans.plan(for: change.new.source, type: type)
            else { return nil }
            for name in change.declaredNames.sorted() where tree.root[name] != nil {
                let names = [DynamicTypeMember.name(of: name), name]
                let json = JSONPatch.setting(
                    names.compactMap { name in tree.root[name].map { (name, tree.text($0)) } }
                )
                guard case .text(let text) = json else { continue }
                do {
                    _ = try EntityBodyReader.read(Array(text.utf8), plan: entityPlan, in: plan.new)
                } catch {
                    return DynamicMisfit(entry: entry, reason: "\(error)")
                }
            }
            return nil
        }
    }

    /// The type of the entity that a request is about, in the new model.
    private static func type(
        of entry: QueueEntry,
        _ change: TableChange,
        in plan: UpgradePlan,
        on connection: SQLiteConnection
    ) throws -> StructuredTypeID? {
        let rows = RowEditor(connection, layout: plan.old.layout)
        let type =
            try entry.row.map { try rows.heldType($0, in: change.old) }
            ?? change.old.entityType
        return plan.new.model.structuredType(named: plan.old.model[type].name)
    }
}
