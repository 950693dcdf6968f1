package import ODataSQL
package import ODataValues
package import ODataModel

/// What a reference in a payload means.
package enum EntityReference: Sendable {
    /// An entity in these tables.
    case row(RowReference)
    /// An entity that only the service has, by its set and key: an offline store holds a part of the service's data.
    case outside(NavigationSource, key: [Scalar])

    /// The set or property that the entity belongs to.
    var source: NavigationSource {
        switch self {
        case .row(let reference): reference.source
        case .outside(let source, _): source
        }
    }

    /// The row; nil where the entity is not in these tables.
    package var row: Int64? {
        if case .row(let reference) = self { reference.row } else { nil }
    }
}
