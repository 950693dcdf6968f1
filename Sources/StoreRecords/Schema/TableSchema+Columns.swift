package import ODataSQL
import ODataModel
import ODataTables

extension TableSchema {
    /// Whether the ETag of an entity is made of a column's value.
    package func isConcurrencyToken(_ column: Column) -> Bool {
        column.path.first.flatMap { model.property($0, of: column.declaringType) }?
            .isConcurrencyToken ?? false
    }

    /// Whether the service computes a column's values: they may move with any change.
    package func isComputed(_ column: Column) -> Bool {
        guard let name = column.path.first,
            let property = model.property(name, of: column.declaringType)
        else { return false }
        return property.isComputed || property.isConcurrencyToken
    }
}
