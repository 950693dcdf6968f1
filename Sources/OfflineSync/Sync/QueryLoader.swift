package import ODataClient
package import StoreRecords
package import StoreDownload
import OfflineValues
import ODataModel
import ODataPayload
package import ODataHTTP
package import OfflineStore

/// Loads one defining query after the other into the staging file, or straight into the store.
package struct QueryLoader: Sendable {
    package let store: LocalStore
    package let client: ServiceClient
    package let progress: ProgressReporter
    package let settings: DownloadSettings
    package let staging: StagingFile
    package let stamp: Int64
    package let unknown: UnknownNames
    /// What this load and others that run beside it may hold.
    var share = LoadShare()
    /// Whether the service is asked to track changes.
    package var asksForChanges = true
    /// Whether the data of one moment are asked for.
    var asksForSnapshot = false
    /// Fields that were sent with the full read, where its changes are asked for.
    var loadHeaders: LoadHeaders?
    /// Further header fields of every request.
    package var ownHeaders: HTTPHeaders = [:]
    /// Looks at each answer before its body is read; it may put another body in its place, or refuse the answer.
    package var inspect: (@Sendable (inout HTTPStreamingResponse) async throws -> Void)?

    var work: DownloadWork { DownloadWork(store) }

    /// Answers that say that the service does not know a link of its own any more.
    private static let forgotten: Set<Int> = [400, 404, 410]

    /// Answers of services that do not know their delta link, or do not follow it any more.
    private static let refusedChanges: Set<Int> = [400, 404, 405, 406, 410, 412, 501]

    /// Answers that say that there is no such entity (OData 4.01 Part 1 §§ 9.1.4, 9.2.2, 9.2.4).
    package var missing: Set<Int> = [204, 404, 410]

    package init(
        store: LocalStore,
        client: ServiceClient,
        progress: ProgressReporter,
        settings: DownloadSettings,
        staging: StagingFile,
        stamp: Int64,
        unknown: UnknownNames,
        asksForChanges: Bool = true,
        asksForSnapshot: Bool = false,
        loadHeaders: LoadHeaders? = nil,
        ownHeaders: HTTPHeaders = [:],
        inspect: (@Sendable (inout HTTPStreamingResponse) async throws -> Void)? = nil,
        missing: Set<Int> = [204, 404, 410]
    ) {
        self.store = store
        self.client = client
        self.progress = progress
        self.settings = settings
        self.staging = staging
        self.stamp = stamp
        self.unknown = unknown
        self.asksForChanges = asksForChanges
        self.asksForSnapshot = asksForSnapshot
        self.loadHeaders = loadHeaders
        self.ownHeaders = ownHeaders
        self.inspect = inspect
        self.missing = missing
    }

    /// Loads one query; where its one entity is not there, the answer is that nothing came.
    ///
    /// What is no answer to a delta link, such as 200 with something else in it, is treated as if the service had forgotten the link.
    package func load(_ task: DownloadWork.Task) async throws -> DownloadWork.Loaded {
        try await store.file.read { [store] connection in
            try KeylessEntities(connection, schema: store.schema(connection)).check(task.query)
        }
        do {
            return try await share.withLoad { try await loadWhatIsThere(task) }
        } catch let error as OfflineODataError
            where task.isSingle && error.httpStatus.map(missing.contains) == true
        {
            try await PageLook(store: store, client: client).check(error, at: task.query.url)
            try await StagingProgress.forget(task.query, in: staging)
            try await pageLoad(task).finishWithout()
            var loaded = DownloadWork.Loaded(
                task: task,
                deltaLink: nil,
                isUnchanged: false,
                isResumed: false
            )
            loaded.task.isDelta = false
            loaded.remarks = ["the service has no such entity (any more)"]
            return loaded
        }
    }

    /// Loads one query; with the full query where the service has forgotten the delta link, or where the load was cut.
    private func loadWhatIsThere(_ task: DownloadWork.Task) async throws -> DownloadWork.Loaded {
        // A link that leads elsewhere may come from a store of before; it is not followed, and not for ever in the way.
        if task.isDelta, (try? firstPage(task, begun: nil, paging: nil)) == nil {
            return try await loadInFull(task)
        }
        do {
            return try await pages(task)
        } catch let error as PayloadError where Self.isRefusal(error, of: task) {
            return try await loadInFull(task)
        } catch let error as OfflineODataError
            where task.isDelta && error.httpStatus.map(Self.refusedChanges.contains) == true
        {
            // The service may say where the whole result is to be had (OData 4.01 Part 1 § 11.3.2).
            let place = try? error.location.map { try client.url.resolve($0) }
            return try await loadInFull(task, from: place ?? nil)
        } catch let error as OfflineODataError
            where error.httpStatus.map(Self.forgotten.contains) == true
        {
            guard try await hasBegun(task) else { throw error }
            var anew = task
            anew.query.nextLink = nil
            try await StagingProgress.forget(task.query, in: staging)
            return try await pages(anew)
        }
    }

    private func loadInFull(_ task: DownloadWork.Task, from place: String? = nil) async throws
        -> DownloadWork.Loaded
    {
        var full = task
        full.isDelta = false
        full.query.deltaLink = nil
        try await StagingProgress.forget(task.query, in: staging)
        var loader = self
        loader.loadHeaders = nil
        return try await loader.pages(full, from: place)
    }

    private func hasBegun(_ task: DownloadWork.Task) async throws -> Bool {
        if task.direct != nil { return task.query.nextLink != nil }
        return try await StagingProgress.read(task.query, start: start(task), in: staging) != nil
    }

    // MARK: Pages

    /// Loads the pages of a query, and what its entities hold of further pages; what was to go straight into its table by the staging file
    /// where that has to keep links.
    ///
    /// - Parameter place: Where the service says that the query begins; nil where it does with itself.
    private func pages(_ task: DownloadWork.Task, from place: String? = nil) async throws
        -> DownloadWork.Loaded
    {
        do {
            return try await readPages(task, from: place)
        } catch let error as UnexpectedRelations {
            guard let table = task.direct else { throw error }
            try await work.abandonDirectLoad(into: table, of: task.query)
            var staged = task
            staged.direct = nil
            staged.query.nextLink = nil
            return try await readPages(staged, from: place)
        }
    }

    private func readPages(_ task: DownloadWork.Task, from place: String?) async throws
        -> DownloadWork.Loaded
    {
        var begun =
            task.direct == nil
            ? try await StagingProgress.read(task.query, start: start(task), in: staging) : nil
        if let found = begun, found.isRead, found.deltaLink == nil {
            // It was complete some time ago, and nothing says what has changed since.
            try await StagingProgress.forget(task.query, in: staging)
            begun = nil
        }
        var pages = Pages()
        pages.deltaLink = begun?.deltaLink
        let isGoingOn = begun != nil || task.direct != nil && task.query.nextLink != nil
        if begun?.isRead != true {
            let paging = try await paging(task, isGoingOn: isGoingOn)
            let load = try await pageLoad(task, paging: paging)
            let first =
                try begun == nil
                ? place ?? firstPage(task, begun: begun, paging: paging)
                : firstPage(task, begun: begun, paging: paging)
            let loaded = try await settlingCut(task) {
                try await withTaskCancellationHandler {
                    try await self.pages(from: first, load: load, task: task)
                } onCancel: {
                    load.cancel()
                }
            }
            pages = loaded
            pages.deltaLink = loaded.deltaLink ?? begun?.deltaLink
        }
        var count = 0
        let directBeginning =
            task.direct == nil ? nil : try await work.beginning(of: task.query)
        if let table = task.direct {
            progress.update { if $0.queryNumber == $0.queryCount { $0.step = .buildingIndexes } }
            count = try await work.finishDirectLoad(
                table,
                of: task.query,
                deltaLink: pages.deltaLink,
                etag: pages.etag
            )
        } else {
            try await nestedPages(task)
        }
        var loaded = DownloadWork.Loaded(
            task: task,
            deltaLink: pages.deltaLink,
            etag: pages.etag,
            isUnchanged: pages.isUnchanged,
            isResumed: isGoingOn
        )
        loaded.directCount = count
        loaded.count = pages.count
        if !task.isDelta, !task.isComparison {
            loaded.headers = LoadHeaders(client.sent(headers()))
        }
        loaded.isIncomplete = pages.isIncomplete
        loaded.mapsForeignLinks = client.url.mapsForeignLinks
        loaded.remarks = pages.remarks + [pages.remarkOnValues].compactMap { $0 }
        if let time = begun?.begun ?? directBeginning, pages.deltaLink == nil {
            loaded.remarks.append(
                "the first pages were read at \(time), before the loading was cut: what has changed since may be missing"
            )
        }
        return loaded
    }

    /// Runs the loading of pages; where it is cut, what has come so far can be read and changed.
    private func settlingCut(_ task: DownloadWork.Task, _ load: () async throws -> Pages)
        async throws -> Pages
    {
        do {
            return try await load()
        } catch {
            guard let table = task.direct else { throw error }
            // The loading may have been cancelled, and this must not be.
            try await Task { [work] in
                try await work.settleCutLoad(table, of: task.query)
            }.value
            throw error
        }
    }

    /// How pages are cut here, where that is asked for.
    private func paging(_ task: DownloadWork.Task, isGoingOn: Bool) async throws -> KeySetPaging? {
        guard !task.isDelta,
            let size = try await work.pageSize(
                of: task.query,
                wanted: settings.clientDrivenPageSize,
                isGoingOn: isGoingOn
            )
        else { return nil }
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
        let load = try PageLoad(
            task.query,
            schema: try await store.schema(),
            into: destination,
            stamp: stamp,
            isDelta: task.isDelta,
            start: start(task),
            nested: nested,
            paging: paging,
            root: client.url.root
        )
        load.limits = settings.payloadLimits
        load.waitingChanges = store.file.waitingChanges
        return load
    }

    /// What pages said.
    struct Pages {
        var deltaLink: String?
        /// Whether the service says that nothing has changed.
        var isUnchanged = false
        /// The ETag of a result that came in one page.
        var etag: String?
        var count: Int64?
        /// Whether there may be more pages.
        var isIncomplete = false
        var remarks: [String] = []
        /// Properties with values beyond what the metadata declares of them.
        private var beyondFacets: Set<String> = []

        /// Takes what a page says of its values.
        mutating func add(_ info: PageInfo) {
            let names = info.diagnostics.filter { $0.kind == .valueBeyondFacets }.map(\.name)
            beyondFacets.formUnion(names)
        }

        /// Warnings about the values.
        var remarkOnValues: String? {
            guard !beyondFacets.isEmpty else { return nil }
            return
                "values of \(beyondFacets.sorted().joined(separator: ", ")) are beyond the MaxLength, Precision or Scale"
                + " that the metadata declares: they are kept as they came"
        }
    }

    /// The error of a page that the query's own URL does not name: its request is added where the message lacks it.
    private static func naming(
        _ url: String,
        in error: any Error,
        of task: DownloadWork.Task
    ) -> any Error {
        if let error = error as? PayloadError, isRefusal(error, of: task) { return error }
        // What no mapping knows is no failure of the page, but what a reader makes of it: it is passed on as it is.
        guard var named = OfflineODataError.mapping(error) as? OfflineODataError,
            named.category != .internal
        else { return error }
        if !named.message.contains("GET ") {
            named.message += " (\(RequestTitle.text("GET", url)))"
        }
        if task.isDelta, named.httpStatus == 500 {
            named.message +=
                "; where it stays so, a download in full (--full) does without the link to later changes"
        }
        return named
    }

    /// Whether an answer to a delta link is no changes, so that the query is read in full.
    private static func isRefusal(_ error: PayloadError, of task: DownloadWork.Task) -> Bool {
        task.isDelta && [.unexpectedContent, .inStreamError].contains(error.code)
    }

    /// Loads pages as long as there are next links.
    private func pages(from first: String, load: PageLoad, task: DownloadWork.Task) async throws
        -> Pages
    {
        var page: String? = first
        var ahead: PageAhead?
        var pages = Pages()
        var trail = PageTrail(settings, isV4: client.version.isV4)
        while let url = page {
            try trail.enter(url)
            let known = url == first && !task.isDelta ? task.query.etag : nil
            let received: (info: PageInfo, etag: String?)?
            do {
                received = try await receive(
                    url,
                    load: load,
                    ahead: &ahead,
                    etag: known,
                    task: task,
                    pages: &pages
                )
            } catch {
                let isNamed = url == client.url.absolute(task.query.url)
                throw isNamed ? error : Self.naming(url, in: error, of: task)
            }
            guard let (info, etag) = received else {
                pages.isUnchanged = true
                pages.etag = known
                break
            }
            unknown.add(info.diagnostics)
            unknown.add(metadataETag: info.metadataETag)
            pages.add(info)
            pages.count = pages.count ?? info.count
            pages.deltaLink = info.deltaLink ?? pages.deltaLink
            page = info.nextLink
            if page != nil, try trail.isOver(after: info.entityCount) {
                page = nil
                pages.isIncomplete = true
                pages.remarks.append(trail.remark)
            }
            pages.etag = url == first && page == nil ? etag : nil
        }
        try await load.finish()
        return pages
    }

    /// Makes the links of a page absolute before anything is written down.
    ///
    /// - Throws: ``OfflineODataError`` where the next page is at another origin: the rest of the result cannot be had.
    func resolveLinks(
        _ info: inout PageInfo,
        url: String,
        task: DownloadWork.Task,
        pages: inout Pages
    ) throws {
        info.nextLink = try info.nextLink.map { try resolve($0, info: info, after: url) }
        guard let link = info.deltaLink else { return }
        do {
            let place = try resolve(link, info: info, after: url)
            let usual = try client.url.resolve(link, against: client.url.absolute(task.query.url))
            // Links stay as the service writes them where that says enough.
            if place != usual { info.deltaLink = place }
        } catch let error as OfflineODataError {
            info.deltaLink = nil
            pages.remarks.append("the link to later changes is refused: \(error.message)")
        }
    }

    private func resolve(_ link: String, info: PageInfo, after url: String) throws -> String {
        try client.url.resolve(link, onPageAt: url, context: info.context)
    }

    /// Follows the links to the rest of collections inside of entities, and of those inside of what comes by them.
    private func nestedPages(_ task: DownloadWork.Task) async throws {
        var trail = PageTrail(settings, isV4: true)
        while let nested = try await NestedLink.all(task.query, in: staging).first {
            try trail.count()
            let load = try await pageLoad(task, nested: nested)
            let base = client.url.absolute(task.query.url)
            let first = try client.url.resolve(nested.link, against: base)
            _ = try await withTaskCancellationHandler {
                try await pages(from: first, load: load, task: task)
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
        begun: StagingProgress?,
        paging: KeySetPaging?
    ) throws -> String {
        let query = paging?.firstPage ?? client.url.absolute(task.query.url)
        let cut = task.direct == nil ? begun?.next : task.query.nextLink
        if let cut { return try client.url.resolve(cut, against: query) }
        if task.isDelta, let link = task.query.deltaLink {
            return try client.url.resolve(link, against: query)
        }
        return query
    }
}
