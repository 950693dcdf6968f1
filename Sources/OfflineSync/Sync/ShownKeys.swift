import ODataClient
import ODataSQL
import ODataHTTP
import StoreRecords
import StoreUpload
import ODataModel
import ODataPayload
import ODataTables
import OfflineStore

/// The keys of an entity set as the service shows them, to find out whether it has carried out a creation whose answer was lost.
struct ShownKeys {
    let store: LocalStore
    let client: ServiceClient
    let budget: RetryBudget

    /// Larger sets are not read to find out.
    private static let maximumPageCount = 10

    /// Whether the service shows no entity that the store does not know: then it has not created one, under whatever key and with
    /// whatever values.
    ///
    /// - Returns: False too where the service does not show its keys, or shows too many.
    /// - Throws: where the service cannot be asked now.
    func areAllKnown(_ source: NavigationSource) async throws -> Bool {
        let schema = try await store.schema()
        guard let table = schema.layout[source], let plan = schema.plans.plan(for: source) else {
            return false
        }
        let key = table.keyColumns.map { table.columns[$0].path.joined(separator: "/") }
        var url = client.url.absolute(
            "\(schema.model.name(of: source))?$select=\(key.joined(separator: ","))"
        )
        var asked: Set<String> = []
        while asked.count < Self.maximumPageCount, asked.insert(url).inserted {
            guard let page = try await page(url, plan: plan, in: schema),
                try await isKnown(page.entities, in: table)
            else { return false }
            guard let link = page.nextLink else { return true }
            // A link to another origin is not followed.
            guard let next = try? client.url.resolve(link, onPageAt: url, context: page.context)
            else { return false }
            url = next
        }
        return false
    }

    /// Returns a page; nil where the service does not give it.
    private func page(_ url: String, plan: EntityPlan, in schema: TableSchema) async throws
        -> EntityBodyReader.Page?
    {
        try await ServerEntity.ifAnswered {
            let response = try await budget.asking { try await client.get(url, budget: budget) }
            let bytes = try await response.body.collect(upTo: client.maximumBodySize)
            return try EntityBodyReader.readPage(bytes, plan: plan, in: schema)
        } ?? nil
    }

    private func isKnown(_ entities: [EntityBody], in table: TableLayout) async throws -> Bool {
        try await store.file.read { [store] connection in
            try KnownKeys(connection, schema: store.schema(connection)).hold(entities, in: table)
        }
    }
}
