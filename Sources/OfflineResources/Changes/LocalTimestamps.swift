#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflineOData

/// Properties in which the device's times of creation and change go along with a change that is sent by a synchronisation.
///
/// A change that the service takes at once carries none: the service notes its own time.
public struct LocalTimestamps: Sendable, Hashable {
    /// Property for the time of creation; nil where there is none.
    public var created: String?
    /// Property for the time of the last change; nil where there is none.
    public var modified: String?

    /// Names the properties.
    public init(created: String? = nil, modified: String? = nil) {
        self.created = created
        self.modified = modified
    }

    /// Writes the times into an entity, over none that the application has given.
    func apply(to entity: inout EntityValue, isCreated: Bool, at now: Date) {
        for (name, value) in values(isCreated: isCreated, at: now)
        where !isCreated || entity[name] == nil { entity[name] = value }
    }

    /// The properties with the times.
    func values(isCreated: Bool, at now: Date) -> [(name: String, value: ODataValue)] {
        let time = ODataValue.string(
            now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        )
        let names = [isCreated ? created : nil, modified].compactMap(\.self)
        return names.map { ($0, time) }
    }
}
