import ODataProtocol
import ODataService
import ODataTables
import Synchronization

/// A service's store that refuses the changes that it is told to.
final class RefusingStore: EntityStore {
    /// A change as the service sees it.
    struct Change {
        var method: String
        var body: EntityBody?

        /// Whether a text stands among the values.
        func holds(_ text: String) -> Bool {
            body?.values.contains { $0.value == .text(text) } ?? false
        }
    }

    private let tables: TableEntityStore
    private let rule = Mutex<(@Sendable (Change) -> Bool)?>(nil)

    init(_ tables: TableEntityStore) {
        self.tables = tables
    }

    /// Decides which changes are refused; nil lets all pass.
    func refuse(_ decide: (@Sendable (Change) -> Bool)?) {
        rule.guarded { $0 = decide }
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
        let rule = rule.guarded { $0 }
        return try await tables.write { try body(Writing(inner: $0, rule: rule)) }
    }

    private struct Writing: EntityWriting, StreamWriting {
        let inner: any EntityWriting
        let rule: (@Sendable (Change) -> Bool)?

        var schema: TableSchema { inner.schema }

        func query() throws -> TableQuery { try inner.query() }

        private func check(_ method: String, _ body: EntityBody? = nil) throws {
            if rule?(Change(method: method, body: body)) ?? false {
                throw EditError(.invalid, "refused by the test")
            }
        }

        func create(_ body: EntityBody, at path: EntityPath) throws -> RowReference {
            try check("POST", body)
            return try inner.create(body, at: path)
        }

        func update(
            _ body: EntityBody,
            at path: EntityPath,
            isReplacing: Bool,
            precondition: Precondition
        ) throws -> RowReference {
            try check("PATCH", body)
            return try inner.update(
                body,
                at: path,
                isReplacing: isReplacing,
                precondition: precondition
            )
        }

        func delete(at path: EntityPath, precondition: Precondition) throws {
            try check("DELETE")
            try inner.delete(at: path, precondition: precondition)
        }

        private func streams() throws -> any StreamWriting {
            guard let streams = inner as? any StreamWriting else {
                throw EditError(.notSupported, "no streams")
            }
            return streams
        }

        func createMedia(_ content: StreamContent, at path: EntityPath) throws -> RowReference {
            try check("POST")
            return try streams().createMedia(content, at: path)
        }

        func setStream(
            _ content: StreamContent,
            at path: EntityPath,
            property: String,
            precondition: Precondition
        ) throws {
            try check("PUT")
            try streams().setStream(
                content,
                at: path,
                property: property,
                precondition: precondition
            )
        }

        func removeStream(at path: EntityPath, property: String, precondition: Precondition) throws
        {
            try check("DELETE")
            try streams().removeStream(at: path, property: property, precondition: precondition)
        }

        func addLink(at path: EntityPath, to reference: String) throws {
            try check("LINK")
            try inner.addLink(at: path, to: reference)
        }

        func removeLink(at path: EntityPath, from reference: String?) throws {
            try check("UNLINK")
            try inner.removeLink(at: path, from: reference)
        }
    }
}
