import ODataAnswers
import ODataSQL
import ODataTables
import ODataValues

/// Keeps the values that `Capabilities.UpdateRestrictions` excepts from changes, whatever the body of an update says of them.
struct KeptValues {
    let rows: RowEditor

    /// Takes the values out of a body; that of a replacement gets those which the entity has.
    func keep(
        in body: inout EntityBody,
        of entity: RowReference,
        in table: TableLayout,
        isReplacing: Bool
    ) throws {
        let layout = rows.layout
        let paths = layout.model.nonUpdatableProperties(of: entity.source).map(layout.path)
        guard !paths.isEmpty else { return }
        let slots = table.columns.indices.filter { slot in
            table.columns[slot].keyIndex == nil
                && paths.contains { table.columns[slot].path.starts(with: $0) }
        }
        body.values.removeAll { slots.contains($0.slot) }
        if isReplacing { try restore(slots, in: &body, of: entity, in: table) }
    }

    private func restore(
        _ slots: [Int],
        in body: inout EntityBody,
        of entity: RowReference,
        in table: TableLayout
    ) throws {
        guard let present = try rows.values(of: entity.row, in: table) else { return }
        let exact = try rows.members(.exact, of: entity.row, named: table.name)
        for slot in slots where present[slot] != .null || table.columns[slot].isNullable {
            body.set(present[slot], exact: exact[table.columns[slot].name], slot: slot)
        }
    }
}
