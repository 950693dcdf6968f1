import CommandSupport
import ODataProtocol
import OfflineResources

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reads that a store keeps, as text and as JSON.
struct StoredResourceListing {
    let resources: [StoredResource]

    func text() -> String {
        guard !resources.isEmpty else { return "no read is kept" }
        var table = TextTable([
            ("resource", .left), ("fetched", .left), ("state", .left), ("bytes", .right),
            ("fetch policy", .left),
        ])
        for resource in resources {
            table.add([
                resource.url, resource.fetched?.formatted(.iso8601) ?? "never",
                Self.state(resource), "\(resource.byteCount)",
                Self.fetchPolicy(resource).rawValue,
            ])
        }
        return table.lines().joined(separator: "\n")
    }

    /// The policy of the next read: what was set for the resource comes before what its last read had.
    private static func fetchPolicy(_ resource: StoredResource) -> FetchPolicy {
        resource.ownPolicy.fetchPolicy ?? resource.policy.fetchPolicy.value
    }

    private static func state(_ resource: StoredResource) -> String {
        resource.fetched == nil ? "missing" : resource.isExpired ? "expired" : "current"
    }

    func json() -> String {
        var writer = JSONWriter()
        writer.beginArray()
        for resource in resources {
            writer.beginObject()
            writer.member("url", value: resource.url)
            writer.optional("fetched", value: resource.fetched?.formatted(.iso8601))
            writer.optional("expires", value: resource.expires?.formatted(.iso8601))
            writer.member("state", value: Self.state(resource))
            writer.member("bytes", value: resource.byteCount)
            writer.optional("validator", value: resource.validator)
            writer.name("hasDeltaLink")
            writer.boolean(resource.hasDeltaLink)
            writer.member("pinPriority", value: resource.pinPriority.rawValue)
            writer.member("fetchPolicy", value: Self.fetchPolicy(resource).rawValue)
            writer.endObject()
        }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
