import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Loads one defining query after the other into the staging file, or straight into the store.
struct QueryLoader: Sendable {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter
    let settings: DownloadSettings
    let staging: StagingFile
    let stamp: Int64
    let unknown: UnknownNames

    private var work: DownloadWork { DownloadWork(store) }

    /// Answers that say that the service does not know a link of its own any more.
    private static let forgotten: Set<Int> = [400, 404, 410]

    /// Pages without entities in a row that all lead to a next one: the standard allows them, but a service whose links have no end
    /// would be followed for ever.
    private static let mostEmptyPages = 10_000
    /// The same of versions 1 to 3, where such a chain is known of services that forget to end it only: then it is the end.
    private static let mostEmptyOldPages = 10

    /// Bytes worked in at once, in one transaction: about as many rows as load best.
    private static let chunkSize = 2 * 1024 * 1024

    /// Loads one query; with the full query where the service has forgotten the delta link, or where the load was cut.
    func load(_ task: DownloadWork.Task) async throws -> DownloadWork.Loaded {
        do {
            return try await pages(task)
        } catch let error as OfflineODataError
            where task.isDelta && error.httpStatus.map(Self.forgotten.contains) == true
        {
            var full = task
            full.isDelta = false
            full.query.deltaLink = nil
            // The service may say where the whole result is to be had (OData 4.01 Part 1 § 11.3.2).
            let place = try? error.location.map { try client.url.resolve($0) }
            return try await pages(full, from: place ?? nil)
        } catch let error as OfflineODataError
            where error.httpStatus.map(Self.forgotten.contains) == true
        {
            guard try await hasBegun(task) else { throw error }
            var anew = task
            anew.query.nextLink = nil
            if task.direct != nil { try await work.forgetNextLink(of: task.query) }
            try await StagingProgress.forget(task.query, staging)
            return try await pages(anew)
        }
    }

    private func hasBegun(_ task: DownloadWork.Task) async throws -> Bool {
        if task.direct != nil { return task.query.nextLink != nil }
        return try await StagingProgress.read(task.query, start: start(task), staging) != nil
    }

    // MARK: Pages

    /// Loads the pages of a query, and what its entities hold of further pages.
    ///
    /// - Parameter place: Where the service says that the query begins; nil where it does with itself.
    private func pages(_ task: DownloadWork.Task, from place: String? = nil) async throws
        -> DownloadWork.Loaded
    {
        let begun =
            task.direct == nil
            ? try await StagingProgress.read(task.query, start: start(task), staging) : nil
        var deltaLink = begun?.deltaLink
        var isUnchanged = false
        var etag: String?
        if begun?.isRead != true {
            let paging = try await paging(task)
            let load = try await pageLoad(task, paging: paging)
            let first =
                try begun == nil
                ? place ?? firstPage(task, begun, paging) : firstPage(task, begun, paging)
            let loaded = try await withTaskCancellationHandler {
                try await pages(from: first, load, task)
            } onCancel: {
                load.cancel()
            }
            deltaLink = loaded.deltaLink ?? deltaLink
            isUnchanged = loaded.isUnchanged
            etag = loaded.etag
        }
        if let table = task.direct {
            progress.update { if $0.queryNumber == $0.queryCount { $0.step = .buildingIndexes } }
            try await work.finishDirectLoad(
                table,
                of: task.query,
                deltaLink: deltaLink,
                etag: etag
            )
        } else {
            try await nestedPages(task)
        }
        return DownloadWork.Loaded(
            task: task,
            deltaLink: deltaLink,
            etag: etag,
            isUnchanged: isUnchanged,
            isResumed: begun != nil || task.direct != nil && task.query.nextLink != nil
        )
    }

    /// How pages are cut here, where that is asked for.
    private func paging(_ task: DownloadWork.Task) async throws -> KeySetPaging? {
        guard let size = settings.clientDrivenPageSize, !task.isDelta else { return nil }
        return KeySetPaging(task.query, in: try await store.schema(), pageSize: size) {
            [url = client.url] in url.absolute($0)
        }
    }

    private func pageLoad(
        _ task: DownloadWork.Task,
        nested: NestedLink? = nil,
        paging: KeySetPaging? = nil
    ) async throws -> PageLoad {
        let destination: PageLoad.Destination =
            if let table = task.direct { .store(store, table: table) } else { .staging(staging) }
        return try PageLoad(
            task.query,
            try await store.schema(),
            into: destination,
            stamp: stamp,
            isDelta: task.isDelta && nested == nil,
            start: start(task),
            nested: nested,
            paging: paging,
            root: client.url.root
        )
    }

    /// What pages said.
    private struct Pages {
        var deltaLink: String?
        /// Whether the service says that nothing has changed.
        var isUnchanged = false
        /// The ETag of a result that came in one page.
        var etag: String?
    }

    /// Loads pages as long as there are next links.
    private func pages(from first: String, _ load: PageLoad, _ task: DownloadWork.Task) async throws
        -> Pages
    {
        var page: String? = first
        var ahead: PageAhead?
        var pages = Pages()
        var emptyCount = 0
        while let url = page {
            let known = url == first && !task.isDelta ? task.query.etag : nil
            guard let (info, etag) = try await receive(url, load, &ahead, known) else {
                pages.isUnchanged = true
                pages.etag = known
                break
            }
            unknown.add(info.diagnostics)
            pages.deltaLink = info.deltaLink ?? pages.deltaLink
            page = try nextPage(info, after: url)
            emptyCount = info.entityCount > 0 ? 0 : emptyCount + 1
            if page != nil, try hasNoEnd(emptyCount) { page = nil }
            pages.etag = url == first && page == nil ? etag : nil
            if page == url {
                throw OfflineODataError(
                    .server,
                    "the service's next link leads to the same page again"
                )
            }
        }
        try await load.finish()
        return pages
    }

    /// Whether a chain of pages is to be followed no further.
    private func hasNoEnd(_ emptyCount: Int) throws -> Bool {
        guard client.version.isV4 else { return emptyCount >= Self.mostEmptyOldPages }
        guard emptyCount < Self.mostEmptyPages else {
            throw OfflineODataError(
                .server,
                "the service has answered \(emptyCount) pages without entities in a row, each with a link to a next one"
            )
        }
        return false
    }

    /// Relative links are meant from the context URL, which stands at the service root (OData JSON 4.01 § 4.5.1), else from the request.
    private func nextPage(_ info: PageInfo, after url: String) throws -> String? {
        try info.nextLink.map {
            let hasContext = info.context?.contains("$metadata") ?? false
            return try client.url.resolve($0, against: $0.hasPrefix("?") || !hasContext ? url : nil)
        }
    }

    /// Follows the links to the rest of collections inside of entities, and of those inside of what comes by them.
    private func nestedPages(_ task: DownloadWork.Task) async throws {
        while let nested = try await NestedLink.all(task.query, staging).first {
            let load = try await pageLoad(task, nested: nested)
            let base = client.url.absolute(task.query.url)
            let first = try client.url.resolve(nested.link, against: base)
            _ = try await withTaskCancellationHandler {
                try await pages(from: first, load, task)
            } onCancel: {
                load.cancel()
            }
        }
    }

    // MARK: Addresses

    /// Where the query begins: at its delta link, or with itself.
    private func start(_ task: DownloadWork.Task) -> String {
        task.isDelta ? task.query.deltaLink ?? task.query.url : task.query.url
    }

    /// Where the loading goes on: at the page where it was cut, at the delta link, or at the query.
    private func firstPage(
        _ task: DownloadWork.Task,
        _ begun: StagingProgress?,
        _ paging: KeySetPaging?
    ) throws -> String {
        let query = paging?.firstPage ?? client.url.absolute(task.query.url)
        let cut = task.direct == nil ? begun?.next : task.query.nextLink
        if let cut { return try client.url.resolve(cut, against: query) }
        if task.isDelta, let link = task.query.deltaLink {
            return try client.url.resolve(link, against: query)
        }
        return query
    }

    // MARK: One page

    /// Receives a page; once more where the connection breaks off in it.
    ///
    /// - Returns: nil where the service says that what is known by its ETag has not changed.
    private func receive(
        _ url: String,
        _ load: PageLoad,
        _ ahead: inout PageAhead?,
        _ etag: String?
    ) async throws -> (info: PageInfo, etag: String?)? {
        var attempt = 1
        while true {
            do {
                let response = try await response(url, ahead.take(), etag)
                guard response.status != 304 else { return nil }
                let info = try await receive(response, from: url, load, &ahead)
                return (info, response.headers["ETag"])
            } catch let error as HTTPTransportError where error.code.isTemporary {
                await load.abandonPage()
                guard let delay = client.settings.retry.delay(after: attempt) else { throw error }
                attempt += 1
                try await client.settings.retry.sleep(delay)
            } catch {
                await load.abandonPage()
                throw error
            }
        }
    }

    /// The page's bytes go to the payload reader as they arrive, and the next page is asked for when it is complete.
    private func receive(
        _ response: HTTPStreamingResponse,
        from url: String,
        _ load: PageLoad,
        _ ahead: inout PageAhead?
    ) async throws -> PageInfo {
        var chunk = PageChunk()
        for try await bytes in response.body {
            chunk.append(bytes)
            progress.advance { $0.receivedByteCount += bytes.count }
            // So much stays for the page's end that its transaction is worth its syncs.
            guard chunk.byteCount >= Self.chunkSize + Self.chunkSize / 2 else { continue }
            try await load.feed(chunk.take(byteCount: Self.chunkSize))
        }
        try Task.checkCancellation()
        ahead = nextPage(chunk, after: url)
        let info = try await load.finishPage(chunk.take())
        progress.advance { $0.receivedEntityCount += info.entityCount }
        return info
    }

    /// The answer that was asked for ahead, if it is the right one.
    private func response(_ url: String, _ ahead: PageAhead?, _ etag: String?) async throws
        -> HTTPStreamingResponse
    {
        if let ahead, ahead.url == url { return try await ahead.response() }
        var headers = headers()
        if let etag { headers["If-None-Match"] = etag }
        do {
            return try await client.get(url, headers: headers)
        } catch let error as OfflineODataError where error.httpStatus == 414 {
            return try await LongQuery(client: client).get(url, headers: headers)
        }
    }

    /// Asks for the page that the tail of this one seems to name.
    private func nextPage(_ chunk: PageChunk, after url: String) -> PageAhead? {
        guard let link = NextLinkSearch.link(inTail: chunk.tail),
            let next = try? client.url.resolve(link, against: url), next != url
        else { return nil }
        return PageAhead(next) { [client, headers = headers()] in
            try await client.get(next, headers: headers)
        }
    }

    /// What the pages of a query are asked with; delta links too, or no new one would come (OData 4.01 Part 1 § 11.3).
    private func headers() -> HTTPHeaders {
        guard client.version.isV4 else {
            return [
                "Accept": client.version == .v3
                    ? "application/json;odata=verbose" : "application/json"
            ]
        }
        var preferences = ["odata.track-changes"]
        if let size = settings.preferredPageSize {
            preferences.append("odata.maxpagesize=\(size)")
        }
        return ["Accept": "application/json", "Prefer": preferences.joined(separator: ",")]
    }
}
