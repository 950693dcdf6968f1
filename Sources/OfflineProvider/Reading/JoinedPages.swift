import ODataText
import ODataValues
import ODataClient
import OfflineSync
import ODataModel
import OfflineValues
import ODataAnswers
import ODataHTTP

/// Reads an answer that is not kept, with all of its pages, as one answer.
struct JoinedPages {
    let client: ServiceClient
    let settings: DownloadSettings

    private static let names = ["@odata.nextLink", "@nextLink"]

    /// Asks the service for a URL relative to its root.
    ///
    /// - Throws: ``OfflineODataError`` where the pages are more, or larger, than the limits allow.
    func response(to url: String, headers: HTTPHeaders) async throws -> HTTPResponse {
        var place = client.url.absolute(url)
        var first = try await page(place, headers: headers, besides: 0)
        var pages = [first.body]
        var byteCount = first.body.count
        var trail = PageTrail(settings, isV4: client.version.isV4)
        try trail.enter(place)
        while let link = Self.nextLink(of: pages[pages.count - 1]) {
            place = try client.url.resolve(link, against: place)
            try trail.enter(place)
            let next = try await page(place, headers: headers, besides: byteCount)
            byteCount += next.body.count
            pages.append(next.body)
        }
        if pages.count > 1 {
            guard let joined = Self.joined(pages) else {
                throw OfflineODataError(.server, "a page of the service's answer is no collection")
            }
            first.body = joined
            // They speak of the first page.
            for name in ["ETag", "Content-Length"] { first.headers[name] = nil }
        }
        return first
    }

    private func page(_ url: String, headers: HTTPHeaders, besides byteCount: Int) async throws
        -> HTTPResponse
    {
        let response = try await client.get(url, headers: headers)
        return HTTPResponse(
            status: response.status,
            headers: response.headers,
            body: try await response.body.collect(upTo: client.maximumBodySize - byteCount)
        )
    }

    /// The link to the next page (OData JSON 4.01 § 4.5.5); nil where this one is the last.
    static func nextLink(of body: [UInt8]) -> String? {
        guard let tree = JSONTree(body) else { return nil }
        return names.lazy.compactMap { tree.string($0) }.first
    }

    /// The first page with the entities of all, without the link to the second.
    private static func joined(_ pages: [[UInt8]]) -> [UInt8]? {
        guard let first = JSONTree(pages[0]), case .object(let members) = first.root.value else {
            return nil
        }
        var writer = JSONWriter(capacity: pages.map(\.count).reduce(0, +))
        writer.beginObject()
        for member in members where !names.contains(member.name) {
            let (name, value) = (member.name, member.value)
            writer.name(name)
            guard name == "value" else {
                writer.raw(first.text(value).span)
                continue
            }
            writer.beginArray()
            for page in pages {
                guard let tree = JSONTree(page), let value = tree.member("value"),
                    let items = value.items
                else { return nil }
                for item in items { writer.raw(tree.text(item).span) }
            }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }
}
