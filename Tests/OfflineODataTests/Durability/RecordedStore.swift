import CRecordingVFS
import StoreRecords
import ODataSQLite
import ODataBinding
import ODataSQL
import ODataAnswers
import ODataTables
import OfflineStore
import TestSupport
import Testing

/// A store whose writes are recorded.
final class RecordedStore {
    let directory: TemporaryDirectory
    let store: LocalStore

    init() throws {
        directory = try TemporaryDirectory()
        let code = unsafe recording_begin(directory.path)
        try #require(code == 0)
        store = try LocalStore(path: directory.path + "/a.sqlite", isCreating: true)
        let schema = try StoreSchema.make(Array(WorkshopModel.metadata.utf8))
        try store.file.writeBlocking { try StoreSchema.save(schema, on: $0) }
    }

    deinit { unsafe recording_end(directory.path) }

    var eventCount: Int32 { unsafe recording_count(directory.path) }

    func syncs(before event: Int32) -> Int32 { unsafe recording_syncs(directory.path, event) }

    func isSync(_ event: Int32) -> Bool { unsafe recording_is_sync(directory.path, event) != 0 }

    /// The store's files after so many events and a power cut.
    func rebuild(
        _ count: Int32,
        _ damage: recording_damage,
        _ seed: UInt32
    ) throws -> TemporaryDirectory {
        let target = try TemporaryDirectory()
        let code = unsafe recording_rebuild(directory.path, target.path, count, damage, seed)
        try #require(code == 0)
        return target
    }

    /// Makes a change through the store, and says how many statements it took.
    @discardableResult
    func send(_ method: String, _ url: String, _ body: String) throws -> Int {
        let before = try store.file.writer.runBlocking { $0.startedStatementCount }
        try store.changeBlocking(ChangeOptions()) { writing in
            let request = try BoundRequest(parsing: url, in: writing.schema.model)
            guard case .entities(let path) = request.resource, let source = path.finalSource,
                let plan = writing.schema.plans.plan(for: source),
                let entity = try EntityBodyReader.read(
                    Array(body.utf8),
                    plan: plan,
                    in: writing.schema
                )
            else { throw EditError(.invalid, url) }
            if method == "POST" {
                _ = try writing.create(entity, at: path)
            } else {
                _ = try writing.update(
                    entity,
                    at: path,
                    isReplacing: false,
                    precondition: .none
                )
            }
        }
        return try store.file.writer.runBlocking { $0.startedStatementCount } - before
    }
}
