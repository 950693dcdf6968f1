import ODataSQL
import ODataBinding
import ODataValues
import ODataSQLite

/// The read of one entity of a set by its key together with its holders, translated once: one statement for both.
///
///     $id | $type | … | $state | $queries | holder | value | value | …
///                              └─ columns that only expanded levels use otherwise
final class HeldRead {
    /// The plan of the entity's values alone; rows of both have the same columns.
    private let plan: LevelPlan
    private let own: LevelPlan

    private static let queriesColumn = SelectStatement.parentColumn
    private static let holderColumn = SelectStatement.countColumn

    /// - Parameters:
    ///   - plan: The plan by which a read of the entity reads its values.
    ///   - statement: The same with the columns of its holders.
    init(_ plan: LevelPlan, statement: SelectStatement) {
        self.plan = plan
        own = LevelPlan(statement, options: BoundOptions(), in: plan.layout, format: plan.format)
    }

    /// Reads the entity of a key; keeps its values for the read that follows.
    ///
    /// - Parameter request: The request that reads it then, where it is known.
    func row(
        _ key: [Scalar],
        query: TableQuery,
        plans: PlanCache,
        request: KnownRequest?
    ) throws -> TableQuery.HeldRow? {
        let statement = try own.prepared(query)
        for index in key.indices { try statement.bind(key[index], at: index + 1) }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        var reader = RowBatchReader(plan)
        try reader.append(statement, query: query)
        plans.keep(
            RowBatch(reader, nested: [], in: plan.layout),
            of: plan,
            key: key,
            request: request
        )
        let holder = Self.holderColumn
        return TableQuery.HeldRow(
            row: RowReference(
                source: plan.statement.table.source,
                row: statement.integer(SelectStatement.place(of: .id))
            ),
            queries: statement.integer(Self.queriesColumn),
            state: RowState(rawValue: statement.integer(SelectStatement.place(of: .state))),
            holder: statement.isNull(holder) ? nil : statement.integer(holder)
        )
    }
}
