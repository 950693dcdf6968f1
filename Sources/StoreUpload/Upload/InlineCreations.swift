import ODataSQLite
import StoreRecords
import ODataSQL
import ODataModel
import ODataTables

/// Entities that a request created inline: they have no answer of their own, and the next download brings them with their keys.
///
/// The answer to the request is to show them (OData 4.01 Part 1 § 11.4.2.2). Services that do not have been seen to leave them out
/// of their deltas too: what they would have come with is then read in full.
struct InlineCreations {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Makes queries that expand to them read everything, where the answer to a request does not show them.
    func note(_ effects: [ChangeEffect], of entry: QueueEntry, answer: EntityBody?) throws {
        guard let answer, answer.inline.isEmpty else { return }
        let created = Set(effects.compactMap { source(of: $0, besides: entry.row) })
        guard !created.isEmpty else { return }
        let queries = DefiningQueries(connection)
        for query in try queries.all() where query.deltaLink != nil {
            let leads = QueryLead.all(of: query, in: schema)
            guard leads.contains(where: { created.contains($0.target) }) else { continue }
            try queries.forgetDelta(of: query.name)
        }
    }

    private func source(of effect: ChangeEffect, besides row: Int64?) -> NavigationSource? {
        guard case .inserted(let name, let inserted) = effect, inserted != row else { return nil }
        return schema.layout.table(named: name)?.source
    }
}
