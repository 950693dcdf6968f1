import ODataValues
import ODataSQL
import ODataBinding
import ODataModel
import ODataAnswers
import ODataService
import ODataTables
import Synchronization

/// A witness of a service's changes: every one that was committed is written down, in the order of the commits.
final class Witness: Sendable {
    private let changes = Mutex<[OracleModel.Change]>([])

    /// What was committed so far; outlives the change of the service's model.
    var all: [OracleModel.Change] { changes.guarded { $0 } }

    /// A store whose changes are seen.
    func store(_ tables: TableEntityStore) -> some EntityStore {
        WatchedStore(tables) { Transaction(self) }
    }

    /// Notes the changes of one transaction.
    private final class Transaction: TransactionWatcher {
        private let witness: Witness
        private let noted = Mutex<[OracleModel.Change]>([])

        init(_ witness: Witness) { self.witness = witness }

        func didMake(
            _ change: WatchedChange,
            _ row: RowReference?,
            _ writing: any EntityWriting
        ) throws {
            let names = ChangeNames(writing: writing)
            guard let seen = try names.seen(change, row) else { return }
            noted.guarded { $0.append(seen) }
        }

        func didCommit() {
            let seen = noted.guarded { $0 }
            witness.changes.guarded { $0 += seen }
        }
    }
}

/// Puts changes in the terms of the oracle's model.
private struct ChangeNames {
    let writing: any EntityWriting
    private var schema: TableSchema { writing.schema }

    func seen(_ change: WatchedChange, _ row: RowReference?) throws -> OracleModel.Change? {
        switch change {
        case .create:
            guard let row else { return nil }
            let (name, values) = try self.row(row)
            return .create(name, values)
        case .update(_, let body):
            guard let row, let table = schema.layout[row.source] else { return nil }
            var values: [String: String?] = [:]
            for item in body.values {
                values[table.columns[item.slot].name] = .some(item.value.plainText)
            }
            return .update(try self.row(row).0, values)
        case .delete(let path): return .delete(name(path))
        case .addLink(let path, let reference):
            return .link(.init(name(path), Self.name(reference)))
        case .removeLink(let path, let reference):
            return .unlink(.init(name(path), reference.map(Self.name) ?? Self.target(path)))
        case .createMedia, .setStream, .removeStream: return nil
        }
    }

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
        let editor = RowEditor(try writing.query().connection, layout: schema.layout)
        let all = try editor.values(of: reference.row, in: table) ?? []
        var values: [String: String] = [:]
        for (column, value) in zip(table.columns, all) { values[column.name] = value.plainText }
        let key = table.keyColumns.map { all.indices.contains($0) ? all[$0] : .null }
        return (OracleModel.name(schema.model.name(of: reference.source), key), values)
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
