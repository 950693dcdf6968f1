package import ODataSQL
import ODataValues
import ODataBinding
import ODataModel

/// Reads single entities by their rows, each source's statement translated once for each connection: what was just written is read
/// back after every local change.
package final class SingleReads: Sendable {
    init() {}

    /// Returns the JSON object of an entity; nil where it is not there.
    package func object(_ entity: RowReference, query: TableQuery) throws -> [UInt8]? {
        let plan = try plan(entity.source, query: query)
        var level = LevelWriter(query, plan: plan)
        try plan.read(query, bindings: [.integer(entity.row)]) { row in
            try level.write(row)
            return true
        }
        return level.rows.isEmpty ? nil : level.joined()
    }

    /// The plan that the connection keeps, as long as it works with one schema.
    private func plan(_ source: NavigationSource, query: TableQuery) throws -> LevelPlan {
        let kept = query.connection.keptPlans
        if kept.singles?.owner !== self { kept.singles = SinglePlans(owner: self) }
        if let plan = kept.singles?.plans[source] { return plan }
        let statement = try query.compiler().select(
            EntityPath(source: source),
            options: BoundOptions(),
            limit: nil,
            after: nil,
            among: [0]
        )
        let plan = LevelPlan(
            statement,
            options: BoundOptions(),
            in: query.layout,
            format: AnswerFormat()
        )
        kept.singles?.plans[source] = plan
        return plan
    }
}

/// Plans that read an entity by its row, kept for the schema that they were made for.
struct SinglePlans {
    let owner: SingleReads
    var plans: [NavigationSource: LevelPlan] = [:]
}
