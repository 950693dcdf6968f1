#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflineOData

/// Properties in which the device's times of creation and change go along with a change.
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
        let time = ODataValue.string(
            now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        )
        if isCreated, let created, entity[created] == nil { entity[created] = time }
        guard let modified, !isCreated || entity[modified] == nil else { return }
        entity[modified] = time
    }
}
