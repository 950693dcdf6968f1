import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Reads the entities of a set page by page: no more than a page is in memory.
struct DataExport {
    let store: LocalStore
    let entitySet: String
    let pageSize: Int
    /// What links begin with.
    let serviceRoot: String

    /// Hands out the set's file in pieces, a page of entities each.
    func write(_ write: (OfflineODataDataPiece) async throws -> Void) async throws {
        var page: TableQuery.Page? = TableQuery.Page(size: pageSize)
        var isFirst = true
        while let current = page {
            try Task.checkCancellation()
            let answer = try await answer(current)
            page = answer.next
            try await write(
                OfflineODataDataPiece(
                    entitySet: entitySet,
                    json: (isFirst ? answer.head : Array(",".utf8)) + answer.entities
                        + (page == nil ? answer.tail : []),
                    isFirst: isFirst,
                    isLast: page == nil
                )
            )
            isFirst = false
        }
    }

    /// A page of entities with what stands around all of them.
    private struct PageAnswer: Sendable {
        var head: [UInt8]
        var entities: [UInt8]
        var tail: [UInt8]
        var next: TableQuery.Page?
    }

    private func answer(_ page: TableQuery.Page) async throws -> PageAnswer {
        let (set, root) = (entitySet, serviceRoot)
        return try await store.readCancellable { query, schema in
            let request = try BoundRequest(
                parsing: set + Self.filter(of: set, schema),
                in: schema.model
            )
            guard case .entities(let path) = request.resource else {
                throw OfflineODataError(.internal, "\(set) is no entity set")
            }
            let format = AnswerFormat(version: schema.model.version, serviceRoot: root)
            let answer = try query.entities(path, request.options, page: page, format: format)
            let list = try PartialSelection.list(of: path, schema, query.connection)
            let (head, tail) = Self.frame(of: set + list, root, isVerbose: format.isVerbose)
            return PageAnswer(
                head: head,
                entities: answer.entities,
                tail: tail,
                next: answer.next
            )
        }
    }

    /// Leaves out what was created here and has no key yet: without one it is a change, and no entity that another store could hold.
    private static func filter(of set: String, _ schema: TableSchema) -> String {
        guard let source = schema.model.navigationSource(named: set),
            let table = schema.layout[source], !table.keyColumns.isEmpty
        else { return "" }
        let keys = table.keyColumns.map {
            table.columns[$0].path.joined(separator: "/") + " ne null"
        }
        return "?$filter=" + keys.joined(separator: " and ")
    }

    /// The object around the entities (OData JSON 4.01 § 13; OData JSON Verbose § 6.1).
    private static func frame(
        of set: String,
        _ root: String,
        isVerbose: Bool
    ) -> ([UInt8], [UInt8]) {
        guard !isVerbose else { return (Array(#"{"d":{"results":["#.utf8), Array("]}}".utf8)) }
        return (
            Array("{\"@odata.context\":\"\(root)$metadata#\(set)\",\"value\":[".utf8),
            Array("]}".utf8)
        )
    }
}
