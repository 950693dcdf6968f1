package import ODataModel

/// How entities are written.
package struct AnswerFormat: Sendable, Hashable {
    /// How much control information an answer holds (OData JSON 4.01 § 3.1).
    package enum Metadata: String, Sendable {
        case minimal
        case full
        case none
    }

    /// Version of the format.
    package var version: ODataVersion
    /// Control information.
    package var metadata: Metadata
    /// Whether Int64 and Decimal are written as strings.
    package var isIEEE754Compatible: Bool
    /// Whether decimals are written with an exponent where they are kept with one (OData JSON 4.01 § 3.3).
    package var hasExponentialDecimals = true
    /// Whether the answer is declared as one that can be read while it arrives (OData JSON 4.01 § 4.4).
    package var isStreaming = false
    /// Whether the entities of an answer come from several sets, so that each states its type and id.
    package var isMixed = false
    /// The context URL of each entity, where that of the answer does not tell its set (OData JSON 4.01 § 4.5.1).
    package var entityContext: String?
    /// Whether entities with local changes have an ETag of their own; else the service's, as requests to it need it.
    package var showsLocalETags = false
    /// Whether entities are data for another store: without states, and without links that are good in this one alone.
    package var isData = false
    /// Whether answers without control information have the states of entities all the same.
    package var showsStates = false
    /// Whether properties that clients cannot read are left out (`Core.Permissions`).
    package var hidesUnreadable = false
    /// Whether rows that are no entities of a set have an entity-id of null, as version 4.0 wants (OData JSON 4.01 § 4.5.8).
    package var marksTransient = false
    /// The service root that links begin with, with a slash at its end.
    package var serviceRoot: String

    package init(
        version: ODataVersion = .v4,
        metadata: Metadata = .minimal,
        isIEEE754Compatible: Bool = false,
        serviceRoot: String = ""
    ) {
        self.version = version
        self.metadata = metadata
        self.isIEEE754Compatible = isIEEE754Compatible
        self.serviceRoot = serviceRoot
    }
}

extension AnswerFormat {
    /// Whether answers are verbose JSON (versions 1 to 3), whose control information stands in `__metadata`.
    package var isVerbose: Bool { !version.isV4 }

    /// Whether each entity states its links.
    var hasLinks: Bool { isVerbose || metadata == .full || isMixed }
}
