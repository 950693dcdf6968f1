import ODataClient
import StoreRecords
import StoreDownload
import OfflineValues
import ODataModel
import ODataPayload
import ODataHTTP
import OfflineStore

/// Receives one page.
extension QueryLoader {
    /// Receives a page; once more where the connection breaks off in it.
    ///
    /// - Returns: nil where the service says that what is known by its ETag has not changed.
    func receive(
        _ url: String,
        load: PageLoad,
        ahead: inout PageAhead?,
        etag: String?,
        task: DownloadWork.Task,
        pages: inout Pages
    ) async throws -> (info: PageInfo, etag: String?)? {
        let prepared = ahead.take().flatMap { $0.url == url ? $0 : nil }
        let budget = prepared?.budget ?? client.budget()
        var isFirst = true
        while true {
            do {
                var response =
                    if isFirst, let prepared { try await prepared.response() } else {
                        try await response(url, etag: etag, budget: budget)
                    }
                isFirst = false
                try await inspect?(&response)
                guard response.status != 304 else {
                    try requireComparison(etag)
                    return nil
                }
                try Self.requirePayload(response, of: url)
                let info = try await receive(
                    response,
                    from: url,
                    load: load,
                    ahead: &ahead,
                    task: task,
                    pages: &pages
                )
                return (info, response.headers["ETag"])
            } catch let error as HTTPTransportError where error.code.isTemporary {
                isFirst = false
                await load.abandonPage()
                guard try await budget.waits() else { throw error }
            } catch {
                await load.abandonPage()
                throw error
            }
        }
    }

    /// Without anything to compare with, nothing is known that could be unchanged (RFC 9110 § 15.4.5).
    private func requireComparison(_ etag: String?) throws {
        guard etag == nil, ownHeaders["If-None-Match"] == nil else { return }
        throw OfflineODataError(
            .server,
            "the service answered 304 to a GET without If-None-Match",
            httpStatus: 304
        )
    }

    /// Looks at what an answer says of itself, before its body is read as a payload.
    private static func requirePayload(_ response: HTTPStreamingResponse, of url: String) throws {
        guard response.status != 204 else {
            throw OfflineODataError(
                .server,
                "the service answered 204 to \(RequestTitle.text("GET", url))",
                httpStatus: 204
            )
        }
        guard let text = response.headers["Content-Type"], !isJSON(text) else { return }
        throw OfflineODataError(
            .server,
            "the service answered to \(RequestTitle.text("GET", url)) with the content type \(text) where JSON was asked for",
            httpStatus: response.status
        )
    }

    /// Whether a content type is JSON, as it is registered, or as services were seen to write it.
    private static func isJSON(_ text: String) -> Bool {
        let type = text.prefix { $0 != ";" && $0 != "," }.lowercased().filter { $0 != " " }
        return ["application/json", "text/json", "application/x-json", "text/javascript"]
            .contains(type) || type.hasSuffix("+json")
    }

    /// The page's bytes go to the payload reader as they arrive, and the next page is asked for when it is complete.
    private func receive(
        _ response: HTTPStreamingResponse,
        from url: String,
        load: PageLoad,
        ahead: inout PageAhead?,
        task: DownloadWork.Task,
        pages: inout Pages
    ) async throws -> PageInfo {
        var chunk = PageChunk()
        for try await bytes in response.body {
            chunk.append(bytes)
            progress.advance { $0.receivedByteCount += bytes.count }
            // So much stays for the page's end that its transaction is worth its syncs.
            let size = share.chunkSize
            guard chunk.byteCount >= size + size / 2 else { continue }
            try await load.feed(chunk.take(byteCount: size))
        }
        try Task.checkCancellation()
        ahead = nextPage(chunk, after: url)
        let info = try await load.finishPage(chunk.take()) { info in
            info.etag = response.headers["ETag"]
            try resolveLinks(&info, url: url, task: task, pages: &pages)
        }
        progress.advance { $0.receivedEntityCount += info.entityCount }
        try await noteRoot(info)
        return info
    }

    /// Remembers by which root the service names itself: ids begin with it.
    private func noteRoot(_ info: PageInfo) async throws {
        guard let context = info.context, !context.hasPrefix(client.url.root),
            let root = ServiceRoot.named(in: context),
            try await store.file.read({ try ServiceRoot.stated($0) }) != root
        else { return }
        try await store.file.write { try ServiceRoot.setStated(root, on: $0) }
    }

    private func response(_ url: String, etag: String?, budget: RetryBudget) async throws
        -> HTTPStreamingResponse
    {
        var headers = headers()
        if let etag { headers["If-None-Match"] = etag }
        do {
            return try await client.get(url, headers: headers, pinned: pinned, budget: budget)
        } catch let error as OfflineODataError where error.httpStatus == 414 {
            return try await LongQuery(client: client, budget: budget).get(url, headers: headers)
        }
    }

    /// Asks for the page that the tail of this one seems to name; not where its context, which is not read yet, may say another place.
    private func nextPage(_ chunk: PageChunk, after url: String) -> PageAhead? {
        guard let link = NextLinkSearch.link(inTail: chunk.tail),
            let next = try? client.url.resolve(link, onPageAt: url, hasContext: false), next != url,
            next == (try? client.url.resolve(link, onPageAt: url, hasContext: true))
        else { return nil }
        return PageAhead(next, budget: client.budget()) {
            [client, pinned, headers = headers()] budget in
            try await client.get(next, headers: headers, pinned: pinned, budget: budget)
        }
    }

    /// What the pages of a query are asked with; delta links too, or no new one would come (OData 4.01 Part 1 § 11.3).
    func headers() -> HTTPHeaders {
        var headers = versionHeaders()
        for field in ownHeaders.fields { headers[field.name] = field.value }
        guard let loadHeaders else { return headers }
        for name in LoadHeaders.names { headers[name] = loadHeaders.fields[name] }
        return headers
    }

    /// Fields that stay as they were, whatever the application asks for by now.
    private var pinned: Set<String> {
        loadHeaders == nil ? [] : Set(LoadHeaders.names.map { $0.lowercased() })
    }

    private func versionHeaders() -> HTTPHeaders {
        guard client.version.isV4 else {
            return ["Accept": AtomAnswer.accept(client.version)]
        }
        var preferences = asksForChanges ? ["odata.track-changes"] : []
        if let size = settings.preferredPageSize {
            preferences.append("odata.maxpagesize=\(size)")
        }
        var headers: HTTPHeaders = ["Accept": "application/json"]
        // OData 4.01 Part 1 § 8.2.6.
        if asksForSnapshot { headers["OData-Isolation"] = "snapshot" }
        if !preferences.isEmpty { headers["Prefer"] = preferences.joined(separator: ",") }
        return headers
    }
}
