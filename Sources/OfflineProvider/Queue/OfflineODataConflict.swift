public import OfflineValues
package import OfflineStore

/// The versions of an entity that was changed here, side by side.
public struct OfflineODataConflict: Sendable, Hashable {
    /// As it was before it was changed here; nil for one that was created here, and for one that was not changed.
    public let base: EntityValue?
    /// As it is here; nil where it is deleted here.
    public let local: EntityValue?
    /// As the service has it, where that is newer than the base; nil where nothing newer is known, and where it is deleted there.
    public let server: EntityValue?
    /// Whether the service has deleted it: the local version creates it anew, that of the service removes it here too.
    public let isDeletedAtService: Bool
    /// Paths of the properties to which changes that wait give a value, be it the one that they had.
    public let changedProperties: [String]
    /// The streams whose changes the service has refused since it has other content: `$value`, or the name of a stream property.
    ///
    /// Each is decided with the entity: the local version sends it again, the service's takes it back.
    public let streams: [String]

    package init(_ conflict: StoreConflict, of entitySet: String) {
        func entity(_ json: String?) -> EntityValue? {
            guard let json, case .object(let members)? = ODataValue(json: json) else { return nil }
            return EntityValue(entitySet: entitySet, members: members)
        }
        base = entity(conflict.base)
        local = entity(conflict.local)
        server = entity(conflict.server)
        isDeletedAtService = conflict.isGone
        changedProperties = conflict.changedProperties
        streams = conflict.streams
    }

    /// Whether the service has other values than those that were changed here.
    ///
    /// It may refuse a change for a reason of its own with the version at hand: then both are the same.
    public var hasOtherValues: Bool {
        guard let server else { return false }
        guard let base else { return true }
        let names = Set((server.members + base.members).map(\.name)).filter { !$0.contains("@") }
        return names.contains { server[$0] ?? .null != base[$0] ?? .null }
    }
}
