import ODataClient
import StoreUpload
import StoreRecords
import ODataSQL
import ODataHTTP
import ODataPayload
import ODataTables
import OfflineStore

/// Finds out the key of entities that the service has created without telling it, as far as a request waits for it.
///
/// The entity is read where the service says that it is, else by the key that was sent; there it has to have the values that were
/// sent. What is not found so is left to the next download.
struct IdentityLookup {
    let store: LocalStore
    let client: ServiceClient

    /// Returns outcomes of creations with the entity as the service shows it, where it could be read.
    func found(_ outcomes: [Outcome]) async throws -> [Outcome] {
        var outcomes = outcomes
        for index in outcomes.indices {
            guard case .done(let response) = outcomes[index].kind,
                outcomes[index].request.entry.isCreation
            else { continue }
            let entry = outcomes[index].request.entry
            let question = try await store.file.read { [store] connection in
                let schema = try store.schema(connection)
                return try IdentityQuestion(
                    after: entry,
                    success: UploadRecorder.Success(response, of: entry, schema: schema),
                    on: connection,
                    schema: schema
                )
            }
            guard let question else { continue }
            outcomes[index].identity = try await answer(question)
        }
        return outcomes
    }

    /// Looks for entities that were created before and that waiting requests name; each is asked for once.
    ///
    /// - Parameter asked: Rows that have been asked for.
    /// - Returns: Whether one was found.
    func settleAwaited(besides asked: inout Set<Int64>) async throws -> Bool {
        var isFound = false
        let questions = try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            return try UnreturnedKeys(connection).awaited(in: schema.layout).compactMap {
                try IdentityQuestion(of: $0.row, in: $0.table, on: connection, schema: schema)
            }
        }
        for question in questions where asked.insert(question.row).inserted {
            guard let body = try await answer(question) else { continue }
            try await store.file.write { [store] connection in
                let schema = try store.schema(connection)
                try UploadRecorder(connection, schema: schema).takeIdentity(of: question, body)
            }
            isFound = true
        }
        return isFound
    }

    /// The entity; nil where the service does not show it, or shows another one.
    private func answer(_ question: IdentityQuestion) async throws -> EntityBody? {
        let found = try await ServerEntity.ifReadable {
            try await ServerEntity.answer(
                question.source,
                url: question.url,
                in: store,
                through: client
            )
        }
        guard case .found(var shown, let etag)? = found else { return nil }
        shown.control[.etag] = shown.control[.etag] ?? etag
        let body = shown
        guard !question.isNamedByService else { return body }
        let isShown = try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            guard let table = schema.layout[question.source] else { return false }
            let values = SentValues(connection, schema: schema)
            if try values.isShown(question.row, in: table, by: body) { return true }
            // Services bring values into a form of their own. What contains it is new, so the key is another's only where its values are.
            let siblings = try UnreturnedKeys(connection).siblings(
                of: question.row,
                in: table,
                layout: schema.layout
            )
            return try siblings.map {
                try !$0.contains { try values.isShown($0, in: table, by: body) }
            } ?? false
        }
        return isShown ? body : nil
    }
}
