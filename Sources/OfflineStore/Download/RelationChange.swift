import ODataModel
import ODataTables

/// That the service has made or ended a relation of two entities.
struct RelationChange: Sendable {
    /// Where it stands in the payload.
    var sequence: Int64
    var isAdded: Bool
    var source: RowReference
    var navigation: NavigationPropertyID
    /// The entity at the other end; nil for whatever stands there.
    var target: RowReference?
}

/// A relation to an entity that the store does not have.
struct MissingTarget: Sendable {
    var source: RowReference
    var navigation: NavigationPropertyID
    /// The id of the entity.
    var id: String
}
