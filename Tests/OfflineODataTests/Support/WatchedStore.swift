import ODataBinding
import ODataSQL
import ODataAnswers
import ODataService
import ODataTables

/// A change that a service's store is told to make.
enum WatchedChange {
    case create(EntityBody)
    case update(EntityPath, EntityBody)
    case delete(EntityPath)
    case createMedia, setStream, removeStream
    case addLink(EntityPath, to: String)
    case removeLink(EntityPath, from: String?)
}

/// Watches the changes of one transaction of a service's store.
protocol TransactionWatcher: Sendable {
    /// - Throws: where the change is refused.
    func willMake(_ change: WatchedChange) throws
    /// - Parameter row: The entity that was created or changed.
    func didMake(_ change: WatchedChange, _ row: RowReference?, _ writing: any EntityWriting) throws
    func didCommit()
}

extension TransactionWatcher {
    func willMake(_ change: WatchedChange) throws {}
    func didMake(_ change: WatchedChange, _ row: RowReference?, _ writing: any EntityWriting) throws
    {}
    func didCommit() {}
}

/// A service's store whose changes are watched.
struct WatchedStore<Watcher: TransactionWatcher>: EntityStore {
    private let tables: TableEntityStore
    private let watcher: @Sendable () -> Watcher

    /// - Parameter watcher: Gives each transaction its watcher.
    init(_ tables: TableEntityStore, watcher: @escaping @Sendable () -> Watcher) {
        self.tables = tables
        self.watcher = watcher
    }

    func schema() async throws -> TableSchema { tables.schema() }

    func read<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        try await tables.read(body)
    }

    func write<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        let watcher = watcher()
        let result = try await tables.write { inner in
            try body(WatchedWriting(inner: inner, watcher: watcher))
        }
        watcher.didCommit()
        return result
    }
}

private struct WatchedWriting: EntityWriting, StreamWriting {
    let inner: any EntityWriting
    let watcher: any TransactionWatcher

    var schema: TableSchema { inner.schema }

    func query() throws -> TableQuery { try inner.query() }

    @discardableResult
    private func make(_ change: WatchedChange, _ body: () throws -> RowReference) throws
        -> RowReference
    {
        try watcher.willMake(change)
        let row = try body()
        try watcher.didMake(change, row, inner)
        return row
    }

    private func makeAway(_ change: WatchedChange, _ body: () throws -> Void) throws {
        try watcher.willMake(change)
        try body()
        try watcher.didMake(change, nil, inner)
    }

    func create(_ body: EntityBody, at path: EntityPath) throws -> RowReference {
        try make(.create(body)) { try inner.create(body, at: path) }
    }

    func update(
        _ body: EntityBody,
        at path: EntityPath,
        isReplacing: Bool,
        precondition: Precondition
    ) throws -> RowReference {
        try make(.update(path, body)) {
            try inner.update(
                body,
                at: path,
                isReplacing: isReplacing,
                precondition: precondition
            )
        }
    }

    func delete(at path: EntityPath, precondition: Precondition) throws {
        try makeAway(.delete(path)) { try inner.delete(at: path, precondition: precondition) }
    }

    func addLink(at path: EntityPath, to reference: String) throws {
        try makeAway(.addLink(path, to: reference)) { try inner.addLink(at: path, to: reference) }
    }

    func removeLink(at path: EntityPath, from reference: String?) throws {
        try makeAway(.removeLink(path, from: reference)) {
            try inner.removeLink(at: path, from: reference)
        }
    }

    // MARK: Streams

    private func streams() throws -> any StreamWriting {
        guard let streams = inner as? any StreamWriting else {
            throw EditError(.notSupported, "no streams")
        }
        return streams
    }

    func createMedia(_ content: StreamContent, at path: EntityPath) throws -> RowReference {
        try make(.createMedia) { try streams().createMedia(content, at: path) }
    }

    func setStream(
        _ content: StreamContent,
        at path: EntityPath,
        property: String,
        precondition: Precondition
    ) throws {
        try makeAway(.setStream) {
            try streams().setStream(
                content,
                at: path,
                property: property,
                precondition: precondition
            )
        }
    }

    func removeStream(at path: EntityPath, property: String, precondition: Precondition) throws {
        try makeAway(.removeStream) {
            try streams().removeStream(at: path, property: property, precondition: precondition)
        }
    }
}
