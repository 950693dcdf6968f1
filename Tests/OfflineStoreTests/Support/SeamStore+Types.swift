import ODataBinding
import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import StoreRecords
import Testing

@testable import OfflineStore

/// What tests of single types need: a prepared store, a call in a write transaction, and the rows and requests afterwards.
extension SeamStore {
    /// A store after the events of a script, which must all succeed.
    convenience init(after script: String) async throws {
        try self.init()
        try await run(script)
    }

    /// Runs the events of a script, which must all succeed.
    func run(_ script: String) async throws {
        var run = SeamRun(store: self)
        for line in script.split(separator: "\n") {
            let output = try await run.run(String(line))
            let isSuccess = output.allSatisfy { !$0.hasPrefix("error:") && !$0.hasPrefix("4") }
            try #require(isSuccess, "\(line): \(output)")
        }
    }

    /// The queue, a line for each request, as scripts print it.
    func queue() async throws -> [String] { try await output("queue") }

    /// The entities of a URL, a line for each, as scripts print them.
    func rows(_ url: String) async throws -> [String] { try await output("rows " + url) }

    private func output(_ event: String) async throws -> [String] {
        var run = SeamRun(store: self)
        return try await run.run(event)
    }

    /// Calls a type in a write transaction of the store, which is rolled back where it throws.
    func change<Result>(
        _ options: ChangeOptions = ChangeOptions(),
        _ work: (StoreTransaction) throws -> Result
    ) throws -> Result {
        try store.file.writeBlocking { [store] connection in
            let schema = try store.schema(connection)
            return try work(StoreTransaction(connection, schema: schema, options: options))
        }
    }
}

extension StoreTransaction {
    /// The editor of the queue in this transaction.
    var queueEditor: QueueEditor { QueueEditor(connection, schema: schema) }

    /// The entity that a URL addresses; also one that is deleted here.
    func reference(_ url: String) throws -> RowReference {
        let entity = try queueEditor.entity(url)
        return RowReference(source: entity.source, row: entity.row)
    }

    /// Reads a body for an entity.
    func body(_ text: String, for entity: RowReference) throws -> EntityBody {
        let plan = try #require(schema.plans.plan(for: entity.source))
        return try #require(try EntityBodyReader.read(Array(text.utf8), plan: plan, in: schema))
    }

    /// Changes the row of an entity as an update does; returns what its request has to know.
    func updateRow(_ entity: RowReference, with body: EntityBody) throws -> RequestQueue.Involved {
        let recorder = ChangeRecorder(rows, flags: options.flags)
        let referred = try referredRows(body)
        try editor(recorder).update(entity, with: body, isReplacing: false)
        return try involved(entity, referred: referred, recorder: recorder)
    }
}
