import ODataSQL
package import ODataModel
package import ODataTables

extension TableSchema {
    /// The source of this name: a set, a singleton or a contained collection.
    package func source(named name: String) -> NavigationSource? {
        model.navigationSources.first { model.name(of: $0) == name }
    }
}
