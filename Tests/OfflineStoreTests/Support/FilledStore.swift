@testable import StoreRecords
@testable import StoreDownload
@testable import StoreUpgrade
import ODataSQL
import ODataBinding
import ODataSQLite
import ODataValues
import ODataModel
import ODataAnswers
import ODataTables
import TestSupport
import Testing

@testable import OfflineStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store in a folder of its own, with entities that came by pages as from a service.
final class FilledStore: Sendable {
    private let folder: URL
    private let isOwner: Bool
    let store: LocalStore

    /// Makes a store of a metadata document without entities.
    init(_ document: [UInt8]) throws {
        isOwner = true
        folder = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LocalStore(path: folder.appending(path: "store").path(), isCreating: true)
        try store.file.writeBlocking { try SchemaUpgrade($0).run(document) }
    }

    /// Opens the file of another store a second time.
    init(opening other: FilledStore) throws {
        folder = other.folder
        isOwner = false
        store = try LocalStore(path: other.store.file.path, isCreating: false)
    }

    deinit {
        if isOwner { try? FileManager.default.removeItem(at: folder) }
    }

    func schema() throws -> TableSchema { try store.readBlocking { $1 } }

    /// Adds a defining query for a set and appends entities to its table, as the first load of a set does.
    func load(_ set: String, _ entities: [String]) async throws {
        let schema = try schema()
        let query = try addQuery(set)
        let source = try #require(schema.model.navigationSource(named: set))
        let table = try #require(schema.layout[source])
        let load = try PageLoad(
            query,
            schema: schema,
            into: .store(store, table: table),
            stamp: 1,
            isDelta: false
        )
        _ = try await load.finishPage([page(entities, schema.model.version)])
        try await load.finish()
        try await DownloadWork(store)
            .finishDirectLoad(table, of: query, deltaLink: set + "?$deltatoken=1", etag: nil)
    }

    /// Reads a set again in full, as a later download does.
    func reload(_ set: String, _ entities: [String]) async throws {
        let schema = try schema()
        let query = try self.query(set)
        let staging = try StagingFile(besides: store.file.path, encryption: nil)
        let load = try PageLoad(
            query,
            schema: schema,
            into: .staging(staging),
            stamp: 2,
            isDelta: false
        )
        _ = try await load.finishPage([page(entities, schema.model.version)])
        try await load.finish()
        _ = try await DownloadWork(store).merge(
            [
                DownloadWork.Loaded(
                    task: DownloadWork.Task(query: query, direct: nil, isDelta: false),
                    deltaLink: nil
                )
            ],
            staging: staging,
            stamp: 2
        )
    }

    private func addQuery(_ set: String) throws -> DefiningQuery {
        try store.file.writeBlocking {
            try DefiningQueries($0).add(name: set, url: set, retrievesStreams: false)
        }
        return try query(set)
    }

    func query(_ set: String) throws -> DefiningQuery {
        try #require(
            try store.file.readBlocking { try DefiningQueries($0).all() }.first { $0.name == set }
        )
    }

    private func page(_ entities: [String], _ version: ODataVersion) -> [UInt8] {
        let list = "[" + entities.joined(separator: ",") + "]"
        return Array((version.isV4 ? "{\"value\":\(list)}" : "{\"d\":{\"results\":\(list)}}").utf8)
    }

    /// Every entity of a set, in the order of their keys.
    func entities(_ set: String) throws -> [JSONValue] {
        try store.readBlocking { query, schema in
            let source = try #require(schema.model.navigationSource(named: set))
            let answer = try query.entities(
                EntityPath(source: source),
                options: BoundOptions(),
                format: AnswerFormat(metadata: .minimal)
            )
            return try JSONValue(Array("[".utf8) + answer.entities + [0x5D]).items
        }
    }

    /// The `ID`s of what a request answers.
    func ids(_ url: String) throws -> [String] {
        try store.readBlocking { query, schema in
            let request = try BoundRequest(parsing: url, in: schema.model)
            guard case .entities(let path) = request.resource else { return [] }
            let answer = try query.entities(path, options: request.options, format: AnswerFormat())
            return try JSONValue(Array("[".utf8) + answer.entities + [0x5D]).items.compactMap {
                $0["ID"]?.text
            }
        }
    }

    /// Changes an entity as the application does.
    func update(_ url: String, _ text: String) throws {
        try store.changeBlocking(ChangeOptions()) { writing in
            let request = try BoundRequest(parsing: url, in: writing.schema.model)
            guard case .entities(let path) = request.resource, let source = path.finalSource,
                let plan = writing.schema.plans.plan(for: source),
                let body = try EntityBodyReader.read(
                    Array(text.utf8),
                    plan: plan,
                    in: writing.schema
                )
            else { return }
            _ = try writing.update(body, at: path, isReplacing: false, precondition: .none)
        }
    }

    /// Deletes an entity as the application does.
    func delete(_ url: String) throws {
        try store.changeBlocking(ChangeOptions()) { writing in
            let request = try BoundRequest(parsing: url, in: writing.schema.model)
            guard case .entities(let path) = request.resource else { return }
            try writing.delete(at: path, precondition: .none)
        }
    }

    /// Relates two entities as the application does.
    func link(_ url: String, to reference: String) throws {
        try store.changeBlocking(ChangeOptions()) { writing in
            let request = try BoundRequest(parsing: url, in: writing.schema.model)
            guard case .entities(let path) = request.resource else { return }
            try writing.addLink(at: path, to: reference)
        }
    }

    /// Rows of every table and the texts of the schema.
    func dump(of tables: String = "%") throws -> [String] {
        try store.file.readBlocking { connection in
            var names: [String] = []
            var lines: [String] = []
            try connection.forEachRow(
                "SELECT name, sql FROM sqlite_schema WHERE name LIKE ?1 AND type = 'table' ORDER BY name",
                [.text(tables)]
            ) {
                names.append($0.string(0))
                lines.append($0.string(1))
            }
            for name in names {
                try connection.forEachRow("SELECT * FROM \(name.sqlQuoted)") { row in
                    let values = (0..<row.columnCount).map { "\(row.scalar($0))" }
                    lines.append(name + ": " + values.joined(separator: "|"))
                }
            }
            return lines
        }
    }

    /// What SQLite finds wrong with the file.
    func faults() throws -> String? {
        try store.file.readBlocking { try $0.text("PRAGMA integrity_check") }
    }
}

extension FilledStore {
    /// Calls an action as the application does.
    func call(_ url: String) throws {
        try store.changeBlocking(ChangeOptions()) { writing in
            let request = try BoundRequest(parsing: url, in: writing.schema.model)
            guard case .operation(let operation) = request.resource else { return }
            try writing.call(operation, method: "POST", url: url, body: [])
        }
    }
}
