package import ODataModel

/// A row of a source.
package struct RowReference: Sendable, Hashable {
    package var source: NavigationSource
    package var row: Int64

    package init(source: NavigationSource, row: Int64) {
        self.source = source
        self.row = row
    }
}
