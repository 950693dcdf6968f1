import CommandSupport
import ODataProtocol
import OfflineOData

/// A piece of the queue or the error archive: both may hold very many requests.
enum PageRequests {
    /// Most requests in one answer.
    static let pageSize = 50

    static func queue(of provider: OfflineODataProvider, _ request: HTTPRequest) async throws
        -> [UInt8]
    {
        let total = try await provider.status().queueCount
        return try await json(provider.requests, total: total, of: provider, request)
    }

    static func archive(of provider: OfflineODataProvider, _ request: HTTPRequest) async throws
        -> [UInt8]
    {
        let total = try await provider.status().errorCount
        return try await json(provider.refusedRequests, total: total, of: provider, request)
    }

    private static func json(
        _ requests: OfflineODataRequests,
        total: Int,
        of provider: OfflineODataProvider,
        _ request: HTTPRequest
    ) async throws -> [UInt8] {
        let skipped = try PageQuery(request).number("skip") ?? 0
        var read: [OfflineODataRequest] = []
        for try await request in requests.skipping(skipped) {
            read.append(request)
            if read.count == pageSize { break }
        }
        let listing = try await QueueListing.read(read, of: provider)
        var isStuck: Set<Int64> = []
        for item in listing.items where try await ArchivedObstacle.read(item, of: provider) != nil {
            isStuck.insert(item.entry.id)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("total", value: total)
        writer.member("skipped", value: skipped)
        writer.objects("requests", items: listing.items) { writer, item in
            item.writeMembers(to: &writer)
            writer.name("Labels")
            writer.beginObject()
            for label in OfflineODataRequestLabel.allCases {
                writer.optional(label.name, value: item.entry.labels[label])
            }
            writer.endObject()
            writer.member("NeedsResolution", value: isStuck.contains(item.entry.id))
        }
        writer.endObject()
        return writer.bytes
    }
}
