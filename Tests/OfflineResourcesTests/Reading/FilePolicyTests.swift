import OfflinePolicies
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// Contents of streams, fetched, kept, expired and evicted by policies of their own.
@Suite struct FilePolicyTests {
    private func open(_ options: PolicyEngineOptions = .init()) async throws
        -> (PolicyBench, PhotoService)
    {
        let photos = PhotoService()
        return (try await PolicyBench(options, photos.answer), photos)
    }

    private func text(_ answer: FileAnswer) async throws -> String? {
        guard let bytes = try await answer.content?.bytes() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    enum Copy: CaseIterable { case absent, present, expired }

    struct Case: Sendable, CustomTestStringConvertible {
        var policy: FetchPolicy
        var copy: Copy
        var isOnline: Bool
        var testDescription: String { "\(policy) \(copy) \(isOnline ? "online" : "offline")" }

        static let all = FetchPolicy.allCases.flatMap { policy in
            Copy.allCases.flatMap { copy in
                [true, false].map { Case(policy: policy, copy: copy, isOnline: $0) }
            }
        }

        /// Where the answer comes from.
        var place: OfflineODataOrigin.Place {
            let held: OfflineODataOrigin.Place = copy == .absent ? .nowhere : .store
            let service: OfflineODataOrigin.Place = isOnline ? .service : .nowhere
            return switch policy {
            case .fromCache, .fromCacheScheduleRefresh: held
            case .fromService: service
            case .fromServiceIfOnline: isOnline ? .service : held
            case .fromServiceOnCacheMiss: copy == .absent ? service : .store
            case .fromServiceOnCacheMissOrExpiry, .withRefresh: copy == .present ? .store : service
            }
        }

        /// Whether the service is asked, now or in the background.
        var asks: Bool {
            guard isOnline else { return false }
            let refreshes =
                policy == .fromCacheScheduleRefresh || policy == .withRefresh && copy == .present
            return place == .service || refreshes
        }
    }

    @Test(arguments: Case.all)
    func answersFromTheRightPlace(_ test: Case) async throws {
        let (bench, photos) = try await open()
        if test.copy != .absent { _ = try await bench.engine.readFile(PhotoService.value) }
        bench.clock.advance(test.copy == .expired ? 86_401 : 60)
        photos.replace(Array("photo 2".utf8))
        bench.network.set(isReachable: test.isOnline)
        let asked = bench.service.asked.count
        let answer = try await bench.engine.readFile(
            PhotoService.value,
            policy: ResourcePolicy(fetchPolicy: test.policy)
        )
        await bench.engine.finishRefreshes()
        #expect(answer.origin.place == test.place)
        let asks = bench.service.asked.dropFirst(asked).filter { $0.hasSuffix("$value") }
        #expect(asks.count == (test.asks ? 1 : 0))
        switch test.place {
        case .service: #expect(try await text(answer) == "photo 2")
        case .store:
            #expect(answer.origin.isExpired == (test.copy == .expired))
        default: #expect(answer.content == nil)
        }
    }

    @Test func readsAFileOfflineAsItCame() async throws {
        let (bench, _) = try await open()
        let first = try await bench.engine.readFile(PhotoService.value)
        #expect(first.isKept)
        #expect(first.policy?.expireAfter == ResolvedPolicy(86_400, from: .library))
        bench.network.set(isReachable: false)
        let second = try await bench.engine.readFile("~/" + PhotoService.value)
        #expect(try await text(second) == "photo 1")
        #expect(second.content?.contentType == "image/png")
        #expect(second.origin.place == .store)
        let stored = try #require(try await bench.engine.storedResource(PhotoService.value))
        #expect(stored.byteCount == 7)
        #expect(stored.validator == "\"1\"")
        #expect(stored.expires?.timeIntervalSince1970 == 1_000_086_400)
        let other = try await bench.engine.readFile("Photos(1)/Scan")
        #expect(other.content == nil)
        bench.network.set(isReachable: true)
        #expect(try await text(bench.engine.readFile("Photos(1)/Scan")) == "scan")
    }

    @Test func keepsTheCopyAt304() async throws {
        let (bench, _) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        bench.clock.advance(50)
        let again = try await bench.engine.readFile(PhotoService.value)
        #expect(try await text(again) == "photo 1")
        let stored = try #require(try await bench.engine.storedResource(PhotoService.value))
        #expect(stored.fetched?.timeIntervalSince1970 == 1_000_000_050)
        #expect(stored.byteCount == 7)
        #expect(bench.transport.requests.last?.headers["If-None-Match"] == "\"1\"")
    }

    /// The service says at once that the content has not changed and that it must not be kept: the reader gets it all the same.
    @Test func asksAgainForAContentThatMustNotBeKeptAnyMore() async throws {
        let (bench, photos) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        photos.setHeaders(["Oracle-Mobile-Sync-No-Store": "true"])
        bench.clock.advance(50)
        let again = try await bench.engine.readFile(
            PhotoService.value,
            policy: ResourcePolicy(fetchPolicy: .fromService)
        )
        #expect(try await text(again) == "photo 1")
        #expect(try await bench.engine.storedResource(PhotoService.value) == nil)
    }

    /// A larger file is answered, but nothing of it is kept, whether the service says its length or not.
    @Test(arguments: [nil, "9"])
    func keepsNoFileBeyondTheLimit(_ length: String?) async throws {
        let (bench, photos) = try await open()
        photos.replace(Array("LARGEFILE".utf8))
        if let length { photos.setHeaders(["Content-Length": length]) }
        let answer = try await bench.engine.readFile(PhotoService.value, fileLimit: 8)
        #expect(try await text(answer) == "LARGEFILE")
        #expect(!answer.isKept)
        #expect(answer.origin.place == .service)
        #expect(try bench.bytesOnDisk().firstRange(of: Array("LARGEFILE".utf8)) == nil)
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.readFile(PhotoService.value).content == nil)
        bench.network.set(isReachable: true)
        #expect(try await bench.engine.readFile(PhotoService.value, fileLimit: 9).isKept)
    }

    @Test func countsForTheSizeOfTheStore() async throws {
        var options = PolicyEngineOptions()
        options.configuration = BackendConfiguration()
        options.configuration?.maxStoreSize = 1
        let (bench, photos) = try await open(options)
        photos.replace(Array(repeating: 1, count: 1 << 20))
        let answer = try await bench.engine.readFile(PhotoService.value)
        #expect(!answer.isKept)
        #expect(answer.content?.byteCount == 1 << 20)
        photos.replace(Array(repeating: 1, count: 1_000_000))
        #expect(try await bench.engine.readFile(PhotoService.value).isKept)
        let text = String(repeating: "x", count: 60_000)
        bench.network.set(isReachable: false)
        let error = await #expect(throws: OfflineODataError.self) {
            try await bench.provider.createEntity(
                EntityValue(entitySet: "Items", ["ID": 1, "Note": .string(text)])
            )
        }
        #expect(error?.code == .quotaExceeded)
        try await bench.engine.evict(PhotoService.value)
        try await bench.provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 1, "Note": .string(text)])
        )
    }

    @Test func neverWritesWhatMustNotBeStored() async throws {
        let (bench, photos) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        photos.replace(Array("SECRET".utf8))
        photos.setHeaders(["Oracle-Mobile-Sync-No-Store": "true"])
        let answer = try await bench.engine.readFile(PhotoService.value)
        #expect(try await text(answer) == "SECRET")
        let direct = try await bench.engine.readFile(
            PhotoService.value,
            policy: ResourcePolicy(noCache: true)
        )
        #expect(try await text(direct) == "SECRET")
        #expect(try bench.bytesOnDisk().firstRange(of: Array("SECRET".utf8)) == nil)
        // Neither does the copy from before stay.
        #expect(try await bench.engine.storedResource(PhotoService.value) == nil)
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.readFile(PhotoService.value).content == nil)
    }

    @Test func obeysTheExpiryOfTheResponse() async throws {
        let (bench, photos) = try await open()
        photos.setHeaders(["Oracle-Mobile-Sync-Expires": "Sun, 09 Sep 2001 01:46:50 GMT"])
        _ = try await bench.engine.readFile(PhotoService.value)
        let stored = try #require(try await bench.engine.storedResource(PhotoService.value))
        #expect(stored.expires?.timeIntervalSince1970 == 1_000_000_010)
        #expect(stored.policy.expireAfter.level == .header)
    }

    @Test(arguments: [true, false])
    func evictsExpiredFilesAtStartup(_ isExpired: Bool) async throws {
        let (bench, _) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        bench.clock.advance(isExpired ? 86_401 : 86_399)
        bench.network.set(isReachable: false)
        try await bench.engine.start()
        let answer = try await bench.engine.readFile(PhotoService.value)
        #expect(answer.isKept == !isExpired)
        let isOnDisk = try bench.bytesOnDisk().firstRange(of: Array("photo 1".utf8)) != nil
        #expect(isOnDisk || isExpired)
        #expect(try await bench.provider.checkIntegrity().isEmpty)
    }

    @Test func evictsTheContentAndLeavesAnEntityThatIsHeldOtherwise() async throws {
        let (bench, _) = try await open()
        _ = try await bench.engine.read("Photos(1)")
        _ = try await bench.engine.readFile(PhotoService.value)
        try await bench.engine.evict("Photos(1)")
        // The file keeps its entity.
        #expect(try await bench.provider.executeQuery("Photos").count == 1)
        _ = try await bench.engine.read("Photos(1)")
        try await bench.engine.evict(PhotoService.value)
        #expect(try await bench.provider.executeQuery("Photos").count == 1)
        #expect(try await bench.provider.stream(PhotoService.value) == nil)
        _ = try await bench.engine.readFile(PhotoService.value)
        #expect(try await bench.engine.evict(entity: "Photos(1)"))
        #expect(try await bench.provider.executeQuery("Photos").isEmpty)
        #expect(try await bench.engine.storedResources().isEmpty)
        #expect(try await bench.provider.checkIntegrity().isEmpty)
    }

    @Test func neverEvictsAFileThatIsChangedHere() async throws {
        let (bench, photos) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        bench.network.set(isReachable: false)
        let state = try await bench.engine.saveFile(
            PhotoService.value,
            content: Array("mine".utf8),
            contentType: "image/png"
        )
        #expect(state == .queued)
        bench.clock.advance(100_000)
        try await bench.engine.start()
        try await bench.engine.evictAll()
        let kept = try await bench.engine.readFile(PhotoService.value)
        #expect(try await text(kept) == "mine")
        #expect(!kept.origin.isExpired)
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        #expect(photos.content == Array("mine".utf8))
        #expect(try await bench.provider.checkIntegrity().isEmpty)
    }

    /// Files have a conflict policy of their own: the service's content stays, and the event log has what was made here.
    @Test(arguments: [nil, ConflictResolutionPolicy.clientWins, .preserveConflict])
    func decidesConflictsByThePolicyOfTheFile(_ policy: ConflictResolutionPolicy?) async throws {
        let (bench, photos) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        if let policy {
            try await bench.engine.setPolicy(
                ResourcePolicy(conflictResolutionPolicy: policy),
                for: PhotoService.value
            )
        }
        bench.network.set(isReachable: false)
        try await bench.engine.saveFile(
            PhotoService.value,
            content: Array("mine".utf8),
            contentType: "image/png"
        )
        photos.replace(Array("theirs".utf8))
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        let isMine = policy == .clientWins
        #expect(photos.content == Array((isMine ? "mine" : "theirs").utf8))
        let isOpen = policy == .preserveConflict
        #expect(try await bench.engine.conflicts().isEmpty == !isOpen)
        bench.network.set(isReachable: false)
        let here = try await bench.engine.readFile(PhotoService.value)
        #expect(try await text(here) == (isMine || isOpen ? "mine" : "theirs"))
        if policy == nil { #expect(try await !bench.provider.eventLog().isEmpty) }
    }

    /// Online the caller hears at once what became of the content.
    @Test func saysWhatBecomesOfAFileThatIsSavedOnline() async throws {
        let (bench, photos) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        var events = bench.engine.resourceEvents().makeAsyncIterator()
        func save(_ text: String) async throws -> ResourceChange.State {
            try await bench.engine.saveFile(
                PhotoService.value,
                content: Array(text.utf8),
                contentType: "image/png",
                options: ResourceChangeOptions(
                    policy: ResourcePolicy(conflictResolutionPolicy: .preserveConflict)
                )
            )
        }
        #expect(try await save("mine") == .sent)
        #expect(photos.content == Array("mine".utf8))
        let event = await events.next()
        #expect(event?.url == "Photos(1)")
        #expect(event?.entity?["ID"] == 1)
        photos.replace(Array("theirs".utf8))
        #expect(try await save("mine again") == .conflict)
        #expect(photos.content == Array("theirs".utf8))
        bench.network.set(isReachable: false)
        await #expect(throws: OfflineODataError.self) {
            try await bench.engine.saveFile(
                PhotoService.value,
                content: [1],
                contentType: "image/png",
                options: ResourceChangeOptions(isKeptOffline: false)
            )
        }
    }

    @Test func aFileThatTheServiceHasNoMoreGoes() async throws {
        let (bench, photos) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value)
        photos.remove()
        let answer = try await bench.engine.readFile(PhotoService.value)
        #expect(answer.content == nil)
        #expect(try await bench.engine.storedResource(PhotoService.value) == nil)
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.readFile(PhotoService.value).content == nil)
    }

    @Test func refreshesStaleFilesInTheBackground() async throws {
        let (bench, photos) = try await open()
        _ = try await bench.engine.readFile(PhotoService.value, fileLimit: 20)
        photos.replace(Array("photo 2".utf8))
        bench.clock.advance(90_000)
        #expect(try await bench.engine.scheduleRefreshOfExpired() == 1)
        await bench.engine.finishRefreshes()
        bench.network.set(isReachable: false)
        #expect(try await text(bench.engine.readFile(PhotoService.value)) == "photo 2")
        bench.network.set(isReachable: true)
        photos.replace(Array("larger than the limit of it".utf8))
        let refusal = await #expect(throws: OfflineODataError.self) {
            try await bench.engine.refresh(PhotoService.value)
        }
        #expect(refusal?.code == .quotaExceeded)
        bench.network.set(isReachable: false)
        #expect(try await text(bench.engine.readFile(PhotoService.value)) == "photo 2")
    }

    @Test func followsTheStrategyOfItsSet() async throws {
        let (bench, photos) = try await open()
        let handler = OfflineHandler(engine: bench.engine)
        handler.setOfflineUsage(.init(strategy: .cacheElseNetwork), for: "Photos")
        for _ in 0..<2 {
            #expect(try await handler.loadFile(PhotoService.value)?.bytes() == photos.content)
        }
        #expect(bench.service.asked.filter { $0.hasSuffix("$value") }.count == 1)
        let once = try await handler.loadFile(
            PhotoService.value,
            usage: .init(strategy: .networkOnly)
        )
        #expect(once?.isStored == false)
        photos.replace(Array("a longer photo".utf8))
        handler.fileLimit = 10
        let large = try await handler.loadFile(
            PhotoService.value,
            usage: .init(strategy: .networkElseCache)
        )
        #expect(large?.byteCount == 14)
        bench.network.set(isReachable: false)
        let kept = try await handler.loadFile(PhotoService.value)
        #expect(try await kept?.bytes() == Array("photo 1".utf8))
    }

    @Test func fetchesByEndpointWithPinAndPolicy() async throws {
        let (bench, _) = try await open()
        let fetch = bench.engine.endpoint("Photos").fetchFile(key: "1").pin(.high)
            .header("X-Own", "1").limit(100)
            .policy(ResourcePolicy(expirationPolicy: .never))
        #expect(fetch.url == PhotoService.value)
        let answer = try await fetch.execute()
        #expect(answer.isKept)
        let stored = try #require(try await bench.engine.storedResource(PhotoService.value))
        #expect(stored.pinPriority == .high)
        #expect(stored.policy.expirationPolicy == ResolvedPolicy(.never, from: .request))
        #expect(bench.transport.requests.last?.headers["X-Own"] == "1")
        try await fetch.evict()
        let evicted = try #require(try await bench.engine.storedResource(PhotoService.value))
        #expect(evicted.fetched == nil)
        #expect(evicted.pinPriority == .high)
        let scan = bench.engine.endpoint("Photos").fetchFile(key: "1", property: "Scan")
        #expect(try await text(scan.execute()) == "scan")
    }

    @Test func refusesWhatIsNoFile() async throws {
        let (bench, _) = try await open()
        await #expect(throws: OfflineODataError.self) {
            try await bench.engine.readFile("Photos(1)")
        }
    }
}
