package import ODataSQLite
import ODataValues
import ODataTables

/// Facts of a store that outlive the process.
package enum StoreState {
    /// Whether the first load has been completed once: from then on applications read the store.
    package static func isOpened(_ connection: SQLiteConnection) throws -> Bool {
        try connection.metaValue("opened") == .integer(1)
    }

    /// Writes down that the first load is complete.
    package static func setOpened(_ connection: SQLiteConnection) throws {
        try connection.setMetaValue("opened", to: .integer(1))
    }

    /// The service root; nil for a store without service.
    package static func serviceRoot(_ connection: SQLiteConnection) throws -> String? {
        guard case .text(let root)? = try connection.metaValue("serviceRoot") else { return nil }
        return root
    }

    /// Writes down the service root.
    package static func setServiceRoot(_ root: String, on connection: SQLiteConnection) throws {
        try connection.setMetaValue("serviceRoot", to: .text(root))
    }

    /// Query options of the service root, which go along with every request.
    package static func serviceOptions(_ connection: SQLiteConnection) throws -> [String] {
        guard case .text(let list)? = try connection.metaValue("serviceOptions") else { return [] }
        return list.split(separator: "&").map { String($0) }
    }

    /// Writes down the query options of the service root.
    package static func setServiceOptions(_ options: [String], on connection: SQLiteConnection)
        throws
    {
        let list = options.joined(separator: "&")
        try connection.setMetaValue("serviceOptions", to: list.isEmpty ? .null : .text(list))
    }

    /// The operation that was begun and not ended: `open`, `download`, `upload` or `import`; the one that began last where there are several.
    package static func interrupted(_ connection: SQLiteConnection) throws -> String? {
        try interruptedOperations(connection).last
    }

    /// The operations that were begun and not ended, in the order in which they began.
    ///
    /// An upload between two halves of a download leaves the download half done.
    package static func interruptedOperations(_ connection: SQLiteConnection) throws -> [String] {
        guard case .text(let list)? = try connection.metaValue("running") else { return [] }
        return list.split(separator: " ").map { String($0) }
    }

    /// Writes down that an operation has begun.
    package static func begin(_ operation: String, on connection: SQLiteConnection) throws {
        let others = try interruptedOperations(connection).filter { $0 != operation }
        try setRunning(others + [operation], on: connection)
    }

    /// Writes down that an operation has ended: a download also ends the opening that was cut, and the other way round.
    package static func end(_ operation: String, on connection: SQLiteConnection) throws {
        let left = try interruptedOperations(connection)
            .filter { $0 != operation && !(isLoad(operation) && isLoad($0)) }
        try setRunning(left, on: connection)
    }

    /// Whether an operation loads from the service, and goes on when a load is called again.
    package static func isLoad(_ operation: String) -> Bool {
        !["upload", imports].contains(operation)
    }

    /// The name of an import, as an operation.
    package static let imports = "import"

    private static func setRunning(_ operations: [String], on connection: SQLiteConnection) throws {
        let list = operations.joined(separator: " ")
        try connection.setMetaValue("running", to: list.isEmpty ? .null : .text(list))
    }

    /// Whether the service has shown that it recognises repeated requests (Repeatable Requests 1.0 § 5).
    package static func isRepeatable(_ connection: SQLiteConnection) throws -> Bool {
        try connection.metaValue("repeatable") == .integer(1)
    }

    /// Writes down that it does.
    package static func setRepeatable(_ connection: SQLiteConnection) throws {
        try connection.setMetaValue("repeatable", to: .integer(1))
    }

    /// Whether the service has taken batches in JSON and refused the others.
    package static func takesJSONBatches(_ connection: SQLiteConnection) throws -> Bool {
        try connection.metaValue("jsonBatches") == .integer(1)
    }

    /// Writes down which batches the service takes.
    package static func setTakesJSONBatches(_ isJSON: Bool, on connection: SQLiteConnection) throws
    {
        try connection.setMetaValue("jsonBatches", to: .integer(isJSON ? 1 : 0))
    }

    /// Whether the service's data came as Atom when it was last read, though JSON was asked for first.
    package static func answersAtom(_ connection: SQLiteConnection) throws -> Bool {
        try connection.metaValue("answersAtom") == .integer(1)
    }

    /// Writes down in which format the service answers.
    package static func setAnswersAtom(_ isAtom: Bool, on connection: SQLiteConnection) throws {
        try connection.setMetaValue("answersAtom", to: .integer(isAtom ? 1 : 0))
    }

    /// The metadata's ETag as the service gave it.
    package static func metadataETag(_ connection: SQLiteConnection) throws -> String? {
        try connection.metaText("metadataETag")
    }

    /// Writes down the metadata's ETag.
    package static func setMetadataETag(_ etag: String?, on connection: SQLiteConnection) throws {
        guard let etag else { return try connection.removeMetaValue("metadataETag") }
        try connection.setMetaText("metadataETag", to: etag)
    }

    /// The metadata's ETag that answers with data have stated last.
    package static func statedMetadataETag(_ connection: SQLiteConnection) throws -> String? {
        guard case .text(let etag)? = try connection.metaValue("statedMetadataETag") else {
            return nil
        }
        return etag
    }

    /// Writes down the metadata's ETag that answers state.
    package static func setStatedMetadataETag(_ etag: String, on connection: SQLiteConnection)
        throws
    {
        try connection.setMetaValue("statedMetadataETag", to: .text(etag))
    }

    /// Names in payloads that the metadata did not have when it was last asked for because of them.
    package static func unknownNames(_ connection: SQLiteConnection) throws -> String? {
        guard case .text(let names)? = try connection.metaValue("unknownNames") else { return nil }
        return names
    }

    /// Writes down names that the metadata does not have.
    package static func setUnknownNames(_ names: String, on connection: SQLiteConnection) throws {
        try connection.setMetaValue("unknownNames", to: .text(names))
    }

    /// The user who opened the store last; nil where none was named.
    package static func user(_ connection: SQLiteConnection) throws -> String? {
        try connection.metaText("user")
    }

    /// Writes down who uses the store.
    package static func setUser(_ user: String, on connection: SQLiteConnection) throws {
        try connection.setMetaText("user", to: user)
    }
}
