import ODataModel
import ODataProtocol
import ODataTables
import OfflineStore

/// Downloads: metadata first, then every defining query, then one moment in which all of it appears.
struct Downloader {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter
    let preferredPageSize: Int?

    private var work: DownloadWork { DownloadWork(store) }

    /// Bytes worked in at once, in one transaction: about as many rows as load best.
    private static let chunkSize = 2 * 1024 * 1024

    /// Loads the given queries, or all; `onlyUnloaded` those that have never been loaded.
    func download(names: Set<String>? = nil, onlyUnloaded: Bool = false) async throws
        -> StagedMerge.Result
    {
        try await MetadataUpdate(store: store, client: client, progress: progress).run()
        let tasks = try await work.tasks(names: names, onlyUnloaded: onlyUnloaded)
        let stamp = try await work.begin()
        let staging = try StagingFile(besides: store.file.path)
        defer { StagingFile.delete(besides: store.file.path) }
        var loaded: [(task: DownloadWork.Task, deltaLink: String?)] = []
        for (index, task) in tasks.enumerated() {
            progress.update {
                $0.step = .receivingData
                $0.query = task.query.name
                $0.queryNumber = index + 1
                $0.queryCount = tasks.count
            }
            loaded.append(try await load(task, staging, stamp))
        }
        progress.update { $0.step = .mergingData }
        try Task.checkCancellation()
        return try await work.merge(loaded, staging: staging, stamp: stamp)
    }

    /// Loads one query; with the full query where the service has forgotten the delta link.
    private func load(
        _ task: DownloadWork.Task,
        _ staging: StagingFile,
        _ stamp: Int64
    ) async throws -> (task: DownloadWork.Task, deltaLink: String?) {
        do {
            return (task, try await pages(task, staging, stamp))
        } catch let error as OfflineODataError
            where task.isDelta && [404, 410].contains(error.httpStatus)
        {
            var full = task
            full.isDelta = false
            full.query.deltaLink = nil
            return (full, try await pages(full, staging, stamp))
        } catch let error as OfflineODataError
            where task.query.nextLink != nil && task.direct != nil
            && [400, 404, 410].contains(error.httpStatus)
        {
            // The service has forgotten where the load was cut.
            var anew = task
            anew.query.nextLink = nil
            try await work.forgetNextLink(of: task.query)
            return (anew, try await pages(anew, staging, stamp))
        }
    }

    /// Loads the pages of a query and answers its delta link.
    private func pages(
        _ task: DownloadWork.Task,
        _ staging: StagingFile,
        _ stamp: Int64
    ) async throws -> String? {
        let schema = try await store.schema()
        let destination: PageLoad.Destination =
            if let table = task.direct { .store(store, table: table) } else { .staging(staging) }
        let load = try PageLoad(
            task.query,
            schema,
            into: destination,
            stamp: stamp,
            isDelta: task.isDelta
        )
        let deltaLink = try await withTaskCancellationHandler {
            try await pages(from: firstPage(task), load)
        } onCancel: {
            load.cancel()
        }
        if let table = task.direct {
            progress.update { $0.step = .buildingIndexes }
            try await work.finishDirectLoad(table, of: task.query, deltaLink: deltaLink)
        }
        return deltaLink
    }

    /// Loads pages as long as there are next links, and answers the delta link.
    private func pages(from first: String, _ load: PageLoad) async throws -> String? {
        var page: String? = first
        var ahead: PageAhead?
        var deltaLink: String?
        while let url = page {
            let info = try await receive(url, load, &ahead)
            deltaLink = info.deltaLink ?? deltaLink
            page = try info.nextLink.map { try client.url.resolve($0, against: url) }
            if page == url {
                throw OfflineODataError(
                    .server,
                    "the service's next link leads to the same page again"
                )
            }
        }
        try await load.finish()
        return deltaLink
    }

    /// Where the loading of a query begins: at the page where it was cut, at the delta link, or at the query.
    private func firstPage(_ task: DownloadWork.Task) throws -> String {
        if task.direct != nil, let link = task.query.nextLink {
            return try client.url.resolve(link, against: client.url.absolute(task.query.url))
        }
        if task.isDelta, let link = task.query.deltaLink {
            return try client.url.resolve(link, against: client.url.absolute(task.query.url))
        }
        return client.url.absolute(task.query.url)
    }

    /// Receives a page: its bytes go to the payload reader as they arrive, and the next page is asked for when it is complete.
    private func receive(
        _ url: String,
        _ load: PageLoad,
        _ ahead: inout PageAhead?
    ) async throws -> PageInfo {
        let response = try await response(url, ahead.take())
        var chunk = PageChunk()
        do {
            for try await bytes in response.body {
                chunk.append(bytes)
                progress.advance { $0.receivedByteCount += bytes.count }
                guard chunk.byteCount >= Self.chunkSize else { continue }
                try await load.feed(chunk.take())
            }
            try Task.checkCancellation()
            ahead = nextPage(chunk, after: url)
            let info = try await load.finishPage(chunk.take())
            progress.advance { $0.receivedEntityCount += info.entityCount }
            return info
        } catch {
            await load.abandonPage()
            throw error
        }
    }

    /// The answer that was asked for ahead, if it is the right one.
    private func response(_ url: String, _ ahead: PageAhead?) async throws -> HTTPStreamingResponse
    {
        if let ahead, ahead.url == url { return try await ahead.response() }
        return try await client.get(url, headers: headers())
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
        if let preferredPageSize { preferences.append("odata.maxpagesize=\(preferredPageSize)") }
        return ["Accept": "application/json", "Prefer": preferences.joined(separator: ",")]
    }
}
