package import ODataModel

/// A relation in which the rows of a table hold the key of rows of another one.
package struct PrincipalRelation: Sendable {
    /// The navigation property of the dependent entity.
    package var navigation: NavigationPropertyID
    /// Whose key it is.
    package var target: NavigationSource
    /// Columns of the foreign key, and those of the principal that they hold.
    package var pairs: [Relationship.ColumnPair]
}
