import ODataModel
import ODataProtocol
import ODataService
import ODataTables
import Synchronization

/// A service's store with a witness: every change that was committed is written down, in the order of the commits.
final class WitnessStore: EntityStore {
    private let tables: TableEntityStore
    private let log: Log

    /// What was committed so far; outlives the change of the service's model.
    final class Log: Sendable {
        private let changes = Mutex<[OracleModel.Change]>([])
        var all: [OracleModel.Change] { changes.guarded { $0 } }
        fileprivate func add(_ more: [OracleModel.Change]) {
            changes.guarded { $0 += more }
        }
    }

    init(_ tables: TableEntityStore, log: Log) {
        self.tables = tables
        self.log = log
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
        let (result, changes) = try await tables.write { inner in
            let writing = Writing(inner: inner)
            return (try body(writing), writing.changes)
        }
        log.add(changes)
        return result
    }

    /// Notes the changes of one transaction.
    private final class Writing: EntityWriting {
        let inner: any EntityWriting
        private(set) var changes: [OracleModel.Change] = []

        init(inner: any EntityWriting) { self.inner = inner }

        var schema: TableSchema { inner.schema }

        func query() throws -> TableQuery { try inner.query() }

        func create(_ body: EntityBody, at path: EntityPath) throws -> RowReference {
            let made = try inner.create(body, at: path)
            let (name, values) = try row(made)
            changes.append(.create(name, values))
            return made
        }

        func update(
            _ body: EntityBody,
            at path: EntityPath,
            isReplacing: Bool,
            precondition: Precondition
        ) throws -> RowReference {
            let changed = try inner.update(
                body,
                at: path,
                isReplacing: isReplacing,
                precondition: precondition
            )
            let (name, _) = try row(changed)
            guard let table = schema.layout[changed.source] else { return changed }
            var values: [String: String?] = [:]
            for item in body.values {
                values[table.columns[item.slot].name] = .some(item.value.plainText)
            }
            changes.append(.update(name, values))
            return changed
        }

        func delete(at path: EntityPath, precondition: Precondition) throws {
            try inner.delete(at: path, precondition: precondition)
            changes.append(.delete(name(path)))
        }

        func addLink(at path: EntityPath, to reference: String) throws {
            try inner.addLink(at: path, to: reference)
            changes.append(.link(.init(name(path), Self.name(reference))))
        }

        func removeLink(at path: EntityPath, from reference: String?) throws {
            try inner.removeLink(at: path, from: reference)
            let target = reference.map(Self.name) ?? Self.target(path)
            changes.append(.unlink(.init(name(path), target)))
        }

        // MARK: Names

        /// `Parts('N1')` for a link of any form.
        private static func name(_ reference: String) -> String {
            String(reference.split(separator: "/").last ?? "")
        }

        private func name(_ path: EntityPath) -> String {
            guard case .key(let key)? = path.steps.first else { return "?" }
            return OracleModel.name(schema.model.name(of: path.source), key)
        }

        /// The far end of `WorkOrders(1)/RequiredParts('N1')`.
        private static func target(_ path: EntityPath) -> String {
            guard case .key(let key)? = path.steps.last, path.steps.count > 2 else { return "?" }
            let isPart = if case .text? = key.first { true } else { false }
            return OracleModel.name(isPart ? "Parts" : "WorkOrders", key)
        }

        private func row(_ reference: RowReference) throws -> (String, [String: String]) {
            guard let table = schema.layout[reference.source] else { return ("?", [:]) }
            let editor = RowEditor(try inner.query().connection, schema.layout)
            let all = try editor.values(of: reference.row, in: table) ?? []
            var values: [String: String] = [:]
            for (column, value) in zip(table.columns, all) { values[column.name] = value.plainText }
            let key = table.keyColumns.map { all.indices.contains($0) ? all[$0] : .null }
            return (OracleModel.name(schema.model.name(of: reference.source), key), values)
        }
    }
}

extension Scalar {
    /// The value in words; nil for null.
    var plainText: String? {
        switch self {
        case .null: nil
        case .integer(let value): String(value)
        case .real(let value): String(Int(value))
        case .text(let text): text
        case .blob: "binary"
        }
    }
}
