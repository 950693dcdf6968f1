import StoreRecords
import ODataClient
import ODataSQL
import StoreUpload
import OfflineValues
import ODataHTTP
import ODataModel
import ODataPayload
import ODataSQLite
import ODataTables
import OfflineStore

/// Reads the service's present version of an entity that a queued request is about.
enum ServerEntity {
    /// What the service has.
    enum Found: Sendable {
        case found(EntityBody, etag: String?)
        case missing
    }

    /// Returns where the entity of a request can be looked for; nil for a creation whose key the service gives.
    ///
    /// - Parameter url: Where the request itself goes.
    static func url(
        of entry: QueueEntry,
        sentTo url: String,
        in store: LocalStore,
        through client: ServiceClient
    ) async throws -> String? {
        guard entry.method == "POST" else { return url.hasPrefix("$") ? nil : url }
        return try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            guard let row = entry.row,
                let source = schema.source(of: entry)
            else { return nil }
            let rows = RowEditor(connection, layout: schema.layout)
            guard let table = schema.layout[source], try rows.heldKey(of: row, in: table) != nil
            else {
                return nil
            }
            let form = WireForm(schema, root: client.url.root)
            return try EntityLink(rows, includesDeleted: true)
                .link(RowReference(source: source, row: row)).map(form.url)
        }
    }

    /// Asks the service.
    ///
    /// - Throws: where the service cannot be asked.
    static func read(
        _ entry: QueueEntry,
        url: String,
        in store: LocalStore,
        through client: ServiceClient,
        budget: RetryBudget? = nil
    ) async throws -> Found {
        let schema = try await store.schema()
        guard let source = schema.source(of: entry) else {
            throw OfflineODataError(.internal, "the request is about no known entity set")
        }
        return try await read(source, url: url, in: store, through: client, budget: budget)
    }

    /// Asks the service for an entity of a source.
    ///
    /// - Throws: where the service cannot be asked.
    static func read(
        _ source: NavigationSource,
        url: String,
        in store: LocalStore,
        through client: ServiceClient,
        budget: RetryBudget? = nil
    ) async throws -> Found {
        do {
            return try await answer(source, url: url, in: store, through: client, budget: budget)
        } catch let error as OfflineODataError where [404, 410].contains(error.httpStatus) {
            guard error.isPage else { return .missing }
            // A gateway may not like the URL.
            let look = PageLook(store: store, client: client)
            guard try await look.isGone(at: url) else { throw error }
            return .missing
        }
    }

    /// Asks the service for an entity of a source, and takes its answer as it is.
    ///
    /// - Throws: ``OfflineODataError`` as for any other refusal where the service has none.
    static func answer(
        _ source: NavigationSource,
        url: String,
        in store: LocalStore,
        through client: ServiceClient,
        budget: RetryBudget? = nil
    ) async throws -> Found {
        let schema = try await store.schema()
        guard let plan = schema.plans.plan(for: source) else {
            throw OfflineODataError(.internal, "the request is about no known entity set")
        }
        let response = try await client.get(client.url.target(url), budget: budget)
        // There is no entity (OData 4.01 Part 1 § 11.2.4, § 9.1.4).
        if response.status == 204 { return .missing }
        let bytes = try await response.body.collect(upTo: client.maximumBodySize)
        guard let body = try EntityBodyReader.read(bytes, plan: plan, in: schema) else {
            return .missing
        }
        return .found(body, etag: response.headers["ETag"])
    }

    /// Returns the service's answer to a question; nil if it is an error or unreadable.
    ///
    /// - Throws: where the service cannot be asked now.
    static func ifAnswered<R>(_ ask: () async throws -> R) async throws -> R? {
        do {
            return try await ask()
        } catch let error as OfflineODataError {
            guard error.category == .server, ![401, 407].contains(error.httpStatus) else {
                throw error
            }
            return nil
        } catch is PayloadError {
            return nil
        }
    }

    /// Returns what a look at the service finds; nil if the service cannot be asked or its answer is unreadable.
    ///
    /// - Throws: `SQLiteError` if the store cannot be read, which says nothing about the service.
    static func ifReadable<R>(_ look: () async throws -> R) async throws(SQLiteError) -> R? {
        do {
            return try await look()
        } catch let error as SQLiteError {
            throw error
        } catch {
            return nil
        }
    }
}
