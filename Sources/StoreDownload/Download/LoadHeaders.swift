import StoreRecords
import ODataSQLite
import ODataValues
package import ODataHTTP
import ODataTables

/// Fields of the requests of a full read that decide about its result: changes of it are asked for with the same ones
/// (OData 4.01 Part 1 § 11.3).
package struct LoadHeaders: Sendable, Equatable {
    /// Names of the fields.
    package static let names = ["Accept-Language", "Prefer"]

    /// The fields; one that was not sent is not there.
    package var fields: HTTPHeaders

    /// Takes the fields out of those that were sent.
    package init(_ sent: HTTPHeaders) {
        fields = HTTPHeaders()
        for name in Self.names { fields[name] = sent[name] }
    }

    private static func key(_ query: DefiningQuery) -> String { "headers:" + query.name }

    /// The header fields of the last full read of a query; nil if they are unknown.
    init?(of query: DefiningQuery, _ connection: SQLiteConnection) throws {
        guard case .text(let lines)? = try connection.metaValue(Self.key(query)) else { return nil }
        fields = HTTPHeaders()
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields.add(String(parts[0]), String(parts[1])) }
        }
    }

    /// Remembers the fields with a query; in the transaction that keeps its delta link.
    func save(of query: DefiningQuery, _ connection: SQLiteConnection) throws {
        let lines = fields.fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
        try connection.setMetaValue(Self.key(query), to: .text(lines))
    }
}
