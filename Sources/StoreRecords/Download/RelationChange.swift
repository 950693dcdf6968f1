package import ODataSQL
package import ODataModel

/// That the service has made or ended a relation of two entities.
package struct RelationChange: Sendable {
    /// Where it stands in the payload.
    package var sequence: Int64
    package var isAdded: Bool
    package var source: RowReference
    package var navigation: NavigationPropertyID
    /// The entity at the other end; nil for whatever stands there.
    package var target: RowReference?

    package init(
        sequence: Int64,
        isAdded: Bool,
        source: RowReference,
        navigation: NavigationPropertyID,
        target: RowReference? = nil
    ) {
        self.sequence = sequence
        self.isAdded = isAdded
        self.source = source
        self.navigation = navigation
        self.target = target
    }
}

/// A relation to an entity that the store does not have.
package struct MissingTarget: Sendable {
    package var source: RowReference
    package var navigation: NavigationPropertyID
    /// The id of the entity.
    package var id: String

    package init(source: RowReference, navigation: NavigationPropertyID, id: String) {
        self.source = source
        self.navigation = navigation
        self.id = id
    }
}
