import ODataModel
import ODataProtocol
import Synchronization

/// The statements that read one entity of a source by its row, each translated once: what was just written is read back after
/// every local change.
package final class SingleReads: Sendable {
    /// A statement, and what is written of its rows.
    private struct Read: Sendable {
        var statement: SelectStatement
        var shapes: [Int64: RowShape] = [:]
    }

    private let reads = Mutex<[NavigationSource: Read]>([:])

    init() {}

    /// Returns the JSON object of an entity; nil where it is not there.
    package func object(_ entity: RowReference, _ query: TableQuery) throws -> [UInt8]? {
        let known = reads.guarded { $0[entity.source] }
        var read = try known ?? Read(statement: statement(entity, query))
        read.statement.bindings = [.integer(entity.row)]
        let plan = LevelPlan(
            read.statement,
            BoundOptions(),
            in: query.layout,
            format: AnswerFormat(),
            shapes: read.shapes
        )
        var level = LevelWriter(query, plan)
        try plan.read(query) { row in
            try level.write(row)
            return true
        }
        if plan.shapes.count > read.shapes.count {
            read.shapes = plan.shapes
            reads.guarded { [read] in $0[entity.source] = read }
        }
        return level.rows.isEmpty ? nil : level.joined()
    }

    private func statement(_ entity: RowReference, _ query: TableQuery) throws -> SelectStatement {
        try query.compiler().select(
            EntityPath(source: entity.source),
            BoundOptions(),
            limit: nil,
            after: nil,
            among: [entity.row]
        )
    }
}
