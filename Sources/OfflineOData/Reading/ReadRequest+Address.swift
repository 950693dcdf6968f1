package import ODataURL
package import ODataTables

extension ReadRequest {
    /// What a rule knows a read by.
    package struct Address: Sendable {
        /// Relative to the service root.
        package let url: String
        /// The way to the entity, where the read names one by its key.
        package let path: EntityPath?
    }

    /// Returns the address of what is read, in a read transaction; nil for a stream, and for a set whose keys are not known.
    package func address(_ query: TableQuery) throws -> Address? {
        switch resource {
        case .url(let url): return Address(url: url, path: nil)
        case .query(let written):
            return Address(url: written.url(version: query.layout.model.version), path: nil)
        case .key(let set, let key):
            return try EntityByKey(set, query).address(key, query)
                .map { Address(url: $0.1, path: $0.0) }
        case .stream: return nil
        }
    }
}
