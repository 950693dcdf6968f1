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
        var level = LevelWriter(query, format: AnswerFormat(), shapes: read.shapes)
        try query.read(read.statement) { row in
            try level.write(row, read.statement, BoundOptions())
            return true
        }
        if level.shapes.count > read.shapes.count {
            read.shapes = level.shapes
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
