import ODataBinding
import ODataSQL
import Testing

@testable import ODataTables

extension SmallTables {
    /// Expects the SQL that answers a URL, a statement for each level, and the entities that it gives.
    ///
    /// White space counts once, and the columns of the system are left out of the statements.
    func expectQuery(
        _ url: String,
        sql: [String],
        rows: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let request = try BoundRequest(
            parsing: url.split(separator: " ").joined(separator: "%20"),
            in: schema.model
        )
        guard case .entities(let path) = request.resource else { throw QueryError(.notFound, url) }
        let query = try TableQuery(connection, layout: schema.layout)
        let statements = try query.explanation(path, options: request.options).map(Self.text)
        #expect(statements == sql.map(Self.normalized), sourceLocation: sourceLocation)
        let answer = try answer(to: path, request.options, query)
        #expect(answer == rows, sourceLocation: sourceLocation)
    }

    /// The entities as JSON, with the number of all matches before them where the URL asks for it.
    private func answer(
        to path: EntityPath,
        _ options: BoundOptions,
        _ query: TableQuery
    ) throws -> String {
        if case .count = path.target { return try "\(query.count(path, options: options))" }
        let answer = try query.entities(
            path,
            options: options,
            format: AnswerFormat(metadata: .none)
        )
        let entities = String(decoding: answer.entities, as: UTF8.self)
        return answer.totalCount.map { "\($0): \(entities)" } ?? entities
    }

    /// A statement with its values.
    private static func text(_ statement: TableQuery.Explanation) -> String {
        let words = normalized(statement.sql)
        let values = statement.values.joined(separator: ", ")
        return values.isEmpty ? words : "\(words) [\(values)]"
    }

    /// The text with single spaces, and `t0.…` in the place of all columns of the system.
    static func normalized(_ sql: String) -> String {
        var text = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for alias in ["t0", "t1"] {
            let columns = SelectStatement.system.map { "\(alias).\($0.sql)" }
            text = text.replacing(columns.joined(separator: ", "), with: "\(alias).…")
        }
        return text
    }
}
