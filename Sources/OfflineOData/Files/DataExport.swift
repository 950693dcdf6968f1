import OfflineValues
import StoreDownload
import StoreExchange
import ODataBinding
import ODataModel
import ODataTables
import OfflineStore

/// Reads the entities of a set, or of a singleton, page by page: no more than a page is in memory.
struct DataExport {
    let store: LocalStore
    let entitySet: String
    let pageSize: Int
    /// What the context begins with.
    let serviceRoot: String

    /// Hands out the set's file in pieces, a page of entities each.
    func write(_ write: (OfflineODataDataPiece) async throws -> Void) async throws {
        var page: TableQuery.Page? = TableQuery.Page(size: pageSize)
        var isFirst = true
        while let current = page {
            try Task.checkCancellation()
            let answer = try await answer(current, isFirst: isFirst)
            page = answer.next
            try await write(
                OfflineODataDataPiece(
                    entitySet: entitySet,
                    json: (isFirst ? answer.head : Array(",".utf8)) + answer.entities
                        + (page == nil ? answer.tail : []),
                    isFirst: isFirst,
                    isLast: page == nil,
                    entityCount: answer.entityCount,
                    linkCount: answer.linkCount
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
        var entityCount: Int
        var linkCount: Int
    }

    private func answer(_ page: TableQuery.Page, isFirst: Bool) async throws -> PageAnswer {
        let (set, root) = (entitySet, serviceRoot)
        return try await store.readCancellable { query, schema in
            guard let source = schema.model.navigationSource(named: set) else {
                throw OfflineODataError(.internal, "\(set) is no entity set")
            }
            var export = try EntityExport(query, schema: schema)
            let found = try export.page(of: source, page)
            var selection = try PartialSelection(query.connection, schema: schema)
            let list = try isFirst ? selection.list(of: source) : ""
            let frame = DataFrame(
                context: root + "$metadata#" + set + list,
                from: source,
                model: schema.model
            )
            return PageAnswer(
                head: frame.head,
                entities: frame.body(found.entities),
                tail: frame.tail,
                next: found.next,
                entityCount: export.entityCount,
                linkCount: export.linkCount
            )
        }
    }
}
