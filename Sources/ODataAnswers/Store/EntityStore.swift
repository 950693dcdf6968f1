package import ODataBinding
package import ODataSQL
package import ODataHTTP
package import ODataTables

/// What an OData service answers from: tables with a way to write to them.
///
/// Plain tables are one (`TableEntityStore`); an offline store, which also records what is to be uploaded, is the other.
package protocol EntityStore: Sendable {
    /// The present version of the model with its tables.
    func schema() async throws -> TableSchema
    /// Runs reading work in one read transaction: everything in it sees one state.
    func read<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R
    /// Runs changing work in one write transaction; an error takes all of it back.
    func write<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R
    /// The same for the requests of a change set, which stay one wherever they go on to (OData 4.01 Part 1 § 11.7.4).
    func writeChangeSet<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R
}

extension EntityStore {
    package func writeChangeSet<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        try await write(body)
    }
}

/// Changes to entities inside one write transaction.
package protocol EntityWriting {
    /// The model with its tables.
    var schema: TableSchema { get }
    /// Reads the current rows, changes of this transaction included.
    func query() throws -> TableQuery
    /// Creates an entity in the set or the collection that a path addresses.
    func create(_ body: EntityBody, at path: EntityPath) throws -> RowReference
    /// Changes the entity that a path addresses; replacing resets what the body leaves out.
    func update(
        _ body: EntityBody,
        at path: EntityPath,
        isReplacing: Bool,
        precondition: Precondition
    ) throws -> RowReference
    /// Deletes the entity that a path addresses.
    func delete(at path: EntityPath, precondition: Precondition) throws
    /// Relates the entity that a reference means by the navigation property at the end of a path.
    func addLink(at path: EntityPath, to reference: String) throws
    /// Ends the relation by the navigation property at the end of a path, of a many-valued one with the entity that a reference means.
    func removeLink(at path: EntityPath, from reference: String?) throws
}

/// Creating what is not there by a request that updates what is (OData 4.01 Part 1 § 11.4.4); a store that queues its changes offers
/// it besides `EntityWriting`, since the request must be sent as what it is.
package protocol UpsertWriting {
    /// Creates the entity that a path with a key addresses.
    ///
    /// - Parameter isInsertOnly: Whether an entity that only the service has is to be left alone (`If-None-Match: *`).
    func upsert(
        _ body: EntityBody,
        at path: EntityPath,
        isReplacing: Bool,
        isInsertOnly: Bool
    ) throws -> RowReference
}

/// What `If-Match` and `If-None-Match` ask of the entity (RFC 9110 § 13.1).
package enum Precondition: Sendable, Equatable {
    case none
    /// Any of these ETags.
    case match(EntityTagList)
    /// `If-Match: *`: the entity exists.
    case exists
    /// `If-None-Match: *`: the entity does not exist.
    case isAbsent
    /// `If-None-Match` with tags: none of them is the current one.
    case noneMatch(EntityTagList)
}

extension EntityTagList {
    /// Whether the current ETag, as text, is in the list; weakness does not count (OData 4.01 Part 1 § 8.2.4).
    package func weaklyContains(text: String?) -> Bool {
        weaklyContains(text.flatMap { EntityTag($0) })
    }
}
