package import ODataSQLite
package import ODataSQL
package import ODataValues
import StoreRecords
import ODataBinding
import ODataPayload
package import ODataTables

/// Reads the key of a created entity from what the service has answered.
///
/// The answer has the entity, or names it by `OData-EntityId` or `Location` (OData 4.01 Part 1 §§ 8.3.1, 8.3.4, 11.4.2). Behind gateways
/// the host and the path before the set may be others than the client's.
package struct ReturnedKey {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Returns the key; nil unless the answer has all of it.
    func key(_ success: UploadRecorder.Success, in table: TableLayout) throws -> [Scalar]? {
        if let body = success.representation {
            let key = table.keyColumns.map { body.value(of: $0) ?? .null }
            if isKnown(key, in: table) { return key }
        }
        let control = success.representation?.control ?? [:]
        let names = [
            success.entityID, success.location, control[.id], control[.editLink],
            control[.readLink],
        ]
        for name in names.compactMap({ $0 }) {
            if let key = try key(in: name, table) { return key }
        }
        return nil
    }

    /// The key that was sent, with the parts replaced that the answer returns; nil if it returns none.
    func partialKey(_ success: UploadRecorder.Success, over sent: [Scalar], in table: TableLayout)
        -> [Scalar]?
    {
        guard let body = success.representation, sent.count == table.keyColumns.count else {
            return nil
        }
        let returned = table.keyColumns.map { place -> Scalar? in
            let value = body.value(of: place) ?? .null
            return value == .null || UnknownValue.isUnknown(value, in: table.columns[place])
                ? nil : value
        }
        return returned.allSatisfy { $0 == nil } ? nil : zip(returned, sent).map { $0 ?? $1 }
    }

    private func isKnown(_ key: [Scalar], in table: TableLayout) -> Bool {
        zip(table.keyColumns, key).allSatisfy {
            $1 != .null && !UnknownValue.isUnknown($1, in: table.columns[$0])
        }
    }

    /// The key in a URL: of the longest end of the path that addresses one entity of the table.
    package func key(in url: String, _ table: TableLayout) throws -> [Scalar]? {
        let path = try ServiceRoot.relative(url, on: connection).prefix { $0 != "?" && $0 != "#" }
        var rest = Substring(path)
        while !rest.isEmpty {
            if let key = entityKey(String(rest), in: table) { return key }
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            rest = rest[rest.index(after: slash)...]
        }
        return nil
    }

    private func entityKey(_ url: String, in table: TableLayout) -> [Scalar]? {
        guard let path = EntityPath(ofService: url, in: schema.model),
            path.finalSource == table.source,
            case .entities = path.target,
            case .key(let key)? = path.steps.last(where: {
                if case .cast = $0 { false } else { true }
            }),
            key.count == table.keyColumns.count
        else { return nil }
        return key
    }
}
