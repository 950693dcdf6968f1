import ODataSQLite
import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A process ends in the middle of an upload: the next one goes on with the answers that have come, and with what a background session
/// has carried on.
@Suite struct UploadSpoolTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes two creations and ends the process when a request of the upload satisfies the condition.
    private static func endUploading(
        in path: String,
        session: (any BackgroundUploadSession)? = nil,
        spools: Bool = true,
        at end: @escaping @Sendable (String, Int) -> Bool = { _, _ in false }
    ) async throws {
        let count = Counter()
        let service = SecretService { request in
            guard request.hasPrefix("POST") else { return }
            if end(request, count.next()) { kill(getpid(), SIGKILL) }
        }
        let provider = try SecretService.provider(in: path, key: nil, service) {
            $0.backgroundUploads = session
            $0.enableBackgroundDataTransfer = spools
            $0.parallelBatchCount = 1
        }
        try await provider.open()
        for id in [10_001, 10_002] {
            try await provider.createEntity(
                EntityValue(
                    entitySet: "Books",
                    ["ID": .integer(Int64(id)), "Title": .string("new \(id)")]
                )
            )
        }
        try await provider.upload()
    }

    /// Goes on as a later process does, and returns what the service was asked.
    private func goOn(
        _ session: (any BackgroundUploadSession)? = nil
    ) async throws -> (result: OfflineODataUploadResult, asked: [String], queue: Int) {
        let asked = Mutex<[String]>([])
        let service = SecretService { request in asked.withLock { $0.append(request) } }
        let provider = try SecretService.provider(in: directory.path, key: nil, service) {
            $0.backgroundUploads = session
        }
        let result = try await provider.upload()
        let queue = try await provider.requestQueue().count
        return (result, asked.withLock { $0 }, queue)
    }

    // MARK: Answers that have come

    @Test func doesNotAskAgainForAnAnswerThatHadCome() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.path as String] in
            try await UploadSpoolTests.endUploading(in: path) { _, number in number == 2 }
        }
        let (result, asked, queue) = try await goOn()
        #expect(!asked.contains { $0.contains("10001") })
        // The first answer was kept, or written down already.
        #expect((1...2).contains(result.succeededCount) && queue == 0)
    }

    /// The requests of which a plain store keeps answers, or tasks that carry them.
    private func spooledRequests(in other: TemporaryDirectory? = nil) throws -> [Int64] {
        let path = (other ?? directory).path + "/localstore.sqlite"
        let file = try SQLiteConnection(path: path, mode: .readOnly)
        // The table is made for the first answer.
        guard try file.tableNames().contains("$spool") else { return [] }
        var requests: [Int64] = []
        try file.forEachRow("SELECT \"request\" FROM \"$spool\"") {
            requests.append($0.integer(0))
        }
        return requests
    }

    /// The requests that wait in the queue of a plain store.
    private func queuedRequests() throws -> [Int64] {
        let file = try SQLiteConnection(
            path: directory.path + "/localstore.sqlite",
            mode: .readOnly
        )
        var requests: [Int64] = []
        try file.forEachRow("SELECT \"id\" FROM \"$queue\"") { requests.append($0.integer(0)) }
        return requests
    }

    /// An answer is spooled until the transaction that takes it into the store, which may come while the next request is on its way.
    @Test func keepsEachAnswerInTheSpoolOrInTheStore() async throws {
        let missing = Mutex<[Int64]?>(nil)
        try await Self.endUploading(in: directory.path) { request, number in
            guard number == 2 else { return false }
            // What has left the queue afterwards has gone from the spool in the same transaction.
            let spooled = (try? spooledRequests()) ?? []
            let queued = (try? queuedRequests()) ?? [1]
            missing.withLock { $0 = queued.filter { $0 == 1 && !spooled.contains($0) } }
            return false
        }
        #expect(missing.withLock { $0 } == [])
        #expect(try spooledRequests() == [])
    }

    @Test func keepsNoAnswerWhereItIsNotAskedTo() async throws {
        let spooled = Mutex<[[Int64]]>([])
        try await Self.endUploading(in: directory.path, spools: false) { _, _ in
            spooled.withLock { $0.append((try? spooledRequests()) ?? [0]) }
            return false
        }
        #expect(spooled.withLock { $0 } == [[], []])
    }

    // MARK: Background sessions

    /// The name under which the task of the ended process was started.
    private func taskName() throws -> String {
        let mark = "localstore.sqlite-upload-"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return try String(#require(names.first { $0.hasPrefix(mark) }).dropFirst(mark.count))
    }

    /// The process ends while the session carries the first creation, or takes it over.
    private func endWhileCarried(isStarting: Bool = false) async throws -> String {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.path as String, isStarting = isStarting as Bool] in
            let session = FakeBackgroundSession { request in
                // Without a request it is waited for.
                if (request != nil) == isStarting { kill(getpid(), SIGKILL) }
                return .running
            }
            try await UploadSpoolTests.endUploading(in: path, session: session)
        }
        return try taskName()
    }

    private static func created(_ id: Int) -> BackgroundUploadTask.State {
        .answered(
            HTTPResponse(
                status: 201,
                headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
                body: Array(#"{"ID":\#(id),"Title":"new \#(id)"}"#.utf8)
            )
        )
    }

    @Test func carriesUploadsThroughTheSession() async throws {
        let count = Counter()
        let session = FakeBackgroundSession { _ in Self.created(10_000 + count.next()) }
        try await Self.endUploading(in: directory.path, session: session) { _, _ in true }
        #expect(
            session.started == ["POST http://secret.test/Books", "POST http://secret.test/Books"]
        )
        #expect(session.removed.count == 2)
        #expect(try spooledRequests() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.contains("-upload-") })
    }

    /// The store knows of a task before the session does.
    @Test(arguments: [false, true])
    func takesTheAnswerOfATaskThatEndedMeanwhile(isStarting: Bool) async throws {
        let name = try await endWhileCarried(isStarting: isStarting)
        let task = BackgroundUploadTask(id: 1, name: name, state: Self.created(10_001))
        let session = FakeBackgroundSession([task]) { _ in Self.created(10_002) }
        let (result, asked, queue) = try await goOn(session)
        // The second creation goes through the session too; the first does not go again.
        #expect(session.started.count == 1 && session.removed.contains(1))
        #expect(asked.isEmpty)
        #expect(result.succeededCount == 2 && queue == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.contains("-upload-") })
    }

    @Test func waitsForATaskThatStillRuns() async throws {
        let name = try await endWhileCarried()
        let task = BackgroundUploadTask(id: 1, name: name, state: .running)
        // The task is waited for; the other creation is started.
        let session = FakeBackgroundSession([task]) { Self.created($0 == nil ? 10_001 : 10_002) }
        let (result, asked, queue) = try await goOn(session)
        #expect(session.started.count == 1 && asked.isEmpty)
        #expect(result.succeededCount == 2 && queue == 0)
    }

    /// The session carries a batch; its answer is taken up when the process that waited for it is gone.
    @Test func takesTheAnswerToABatch() async throws {
        let session = CarryingBackgroundSession()
        let shop = try await Workshop {
            $0.backgroundUploads = session
            $0.retryPolicy = .never
            $0.storeKey = nil
        }
        session.connect(to: shop.transport)
        for serial in ["H-1", "H-2"] {
            await shop.send("POST", "Tools", #"{"Serial":"\#(serial)","Name":"Hammer"}"#)
        }
        await shop.send("PATCH", "People(1)", #"{"Status":"away"}"#)
        await #expect(throws: OfflineODataError.self) { try await shop.provider.upload() }
        let states = try await shop.provider.requestQueue().map(\.status)
        #expect(states == [.sending, .sending, .sending])

        let asked = shop.transport.requests.count
        #expect(try await shop.provider.upload().succeededCount == 3)
        #expect(shop.transport.requests.count == asked)
        #expect(try await shop.queue() == [])
        #expect(await session.tasks() == [])
        #expect(try spooledRequests(in: shop.directory) == [])
    }

    @Test func sendsAgainWhatTheSessionCouldNotSend() async throws {
        let name = try await endWhileCarried()
        let task = BackgroundUploadTask(
            id: 1,
            name: name,
            state: .failed(isCertainlyUnsent: true)
        )
        let count = Counter()
        let session = FakeBackgroundSession([task]) { _ in Self.created(10_000 + count.next()) }
        let (_, asked, queue) = try await goOn(session)
        #expect(session.started.count == 2 && asked.isEmpty && queue == 0)
    }

    @Test func asksTheServiceForWhatIsLost() async throws {
        _ = try await endWhileCarried()
        let session = FakeBackgroundSession { _ in Self.created(10_002) }
        let (_, asked, _) = try await goOn(session)
        #expect(asked.contains { $0.hasPrefix("GET Books") && $0.contains("10001") })
    }

    /// A change that the system repeats would be made twice.
    @Test(arguments: [false, true]) func needsRepeatableRequestsWhereTheSessionRepeats(
        isRepeatable: Bool
    ) throws {
        let session = FakeBackgroundSession(mayRepeat: true) { _ in .running }
        func make() throws {
            _ = try SecretService.provider(in: directory.path, key: nil) {
                $0.backgroundUploads = session
                $0.enableRepeatableRequests = isRepeatable
            }
        }
        guard !isRepeatable else { return try make() }
        let error = #expect(throws: OfflineODataError.self) { try make() }
        #expect(error?.category == .preconditionFailed)
    }

    @Test func isNotForEncryptedStores() throws {
        let session = FakeBackgroundSession { _ in .running }
        let error = #expect(throws: OfflineODataError.self) {
            try SecretService.provider(
                in: directory.path,
                key: OfflineODataEncryptionKey("a"),
                adjust: { $0.backgroundUploads = session }
            )
        }
        #expect(error?.category == .notSupported)
    }
}
