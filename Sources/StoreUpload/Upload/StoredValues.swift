import ODataText
package import ODataSQL
import ODataValues
import ODataSQLite
import StoreRecords
import ODataPayload
import ODataAnswers
package import ODataTables

/// The values of a stored row with their exact texts, to compare those of a payload with.
package struct StoredValues {
    private let rows: RowEditor
    private let table: TableLayout
    private let values: [Scalar]
    private let exact: [String: String]
    private let row: Int64
    /// The table or copy that the row stands in.
    private let name: String
    /// Whether the row was created here, and no download has shown yet what the service made of it.
    private let isUnseen: Bool

    /// Reads a row, or one of its copies; nil where there is none.
    package init?(
        of row: Int64,
        in table: TableLayout,
        named name: String? = nil,
        _ rows: RowEditor
    ) throws {
        guard let values = try rows.values(of: row, in: table, named: name) else { return nil }
        self.rows = rows
        self.table = table
        self.values = values
        exact = try rows.members(.exact, of: row, named: name ?? table.name)
        self.row = row
        self.name = name ?? table.name
        isUnseen =
            try rows.connection.integer(
                """
                SELECT 1 FROM \(self.name.sqlQuoted) WHERE "$id" = ?1 AND "$queries" = 0
                    AND "$state" & \(RowState.local.rawValue) <> 0 AND NOT \(MemberRows.isHeld)
                """,
                [.integer(row)]
            ) != nil
    }

    /// Whether a payload shows the properties that the row has beside those of its type; a null is none.
    ///
    /// Only entities of open types have such properties.
    func hasSameUndeclared(as body: EntityBody) throws -> Bool {
        guard body.plan.isOpen else { return true }
        let theirs = UndeclaredMembers.values(of: body)
        let undeclared = try undeclared()
        guard Set(theirs.keys) == Set(undeclared.keys) else { return false }
        return theirs.allSatisfy { UndeclaredMembers.isSame($1, undeclared[$0]) }
    }

    /// Whether a payload shows an entity of the row's type.
    func hasSameType(as body: EntityBody) throws -> Bool {
        let code = try rows.connection.integer(
            "SELECT \(SystemColumn.type.sql) FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        )
        guard let code, table.types.indices.contains(Int(code)) else { return true }
        return table.types[Int(code)] == body.plan.type
    }

    /// Whether the row has a value that a payload lacks; services may leave out nulls and empty collections.
    func isMissing(_ slot: Int, in body: EntityBody) -> Bool {
        guard !body.mentions(slot), !isUnknown(slot) else { return false }
        switch values[slot] {
        case .null: return false
        case .text("[]"): return table.columns[slot].kind != .json
        default: return true
        }
    }

    /// JSON of the properties beside those of the type, by their names, without what is said of their types.
    private func undeclared() throws -> [String: String] {
        try rows.members(.dynamic, of: row, named: name)
            .filter { $0.value != "null" && DynamicTypeMember.property(of: $0.key) == nil }
    }

    private func stored(_ slot: Int) -> EntityBody.SlotValue {
        .init(slot: slot, value: values[slot], exact: exact[table.columns[slot].name])
    }

    /// Whether the row has a value, in whatever text.
    package func isSame(_ item: EntityBody.SlotValue) -> Bool {
        comparison(item.slot).isSame(item, stored(item.slot))
    }

    /// Whether giving a value to the row changes nothing: it has the value, and no text of its own is given that the row lacks.
    package func isUnchanged(by item: EntityBody.SlotValue) -> Bool {
        let stored = stored(item.slot)
        return (item.exact == nil || item.exact == stored.exact)
            && comparison(item.slot).isSame(item, stored)
    }

    private func comparison(_ slot: Int) -> ValueComparison {
        ValueComparison(column: table.columns[slot], model: rows.layout.model)
    }

    /// Whether the store does not know what the service has in a slot.
    package func isUnknown(_ slot: Int) -> Bool {
        UnknownValue.isUnknown(values[slot], in: table.columns[slot])
            || isUnseen && values[slot] == .null
    }
}
