import ODataBinding
import ODataSQL
import ODataModel
package import ODataTables

extension ReadRequest {
    /// What a rule knows a read by.
    package struct Address: Sendable {
        /// Relative to the service root.
        package let url: String
        /// The entity, where the read names one by its key.
        package let entity: KeyedEntity?
    }

    /// Returns the address of what is read, in a read transaction; nil for a stream, and for a set whose keys are not known.
    package func address(_ query: TableQuery) throws -> Address? {
        switch resource {
        case .url(let url): return Address(url: url, entity: nil)
        case .query(let written):
            return Address(url: written.url(version: query.layout.model.version), entity: nil)
        case .key(let set, let key):
            return try EntityByKey(set, query: query).address(key, query: query)
        case .stream: return nil
        }
    }
}
