import Foundation
import ODataValues
import ODataHTTP
import OfflineOData
import OfflineResources
import Synchronization
import TestSupport
import Testing

/// Several readers of one store, and what killed ones leave.
@Suite(.timeLimit(.minutes(2))) struct SeveralReadersTests {
    /// Lets nobody pass until so many have come.
    private final class Meeting: Sendable {
        private let state: Mutex<(missing: Int, waiting: [CheckedContinuation<Void, Never>])>

        init(of count: Int) { state = Mutex((count, [])) }

        func arrive() async {
            await withCheckedContinuation { continuation in
                let released = state.guarded { state in
                    state.missing -= 1
                    state.waiting.append(continuation)
                    guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for continuation in released { continuation.resume() }
            }
        }
    }

    @Test func readTheSameAtTheSameTime() async throws {
        let meeting = Meeting(of: 2)
        let answer: LiteralService.Answer = { _ in
            await meeting.arrive()
            return LiteralService.items([1, 2])
        }
        let first = try await PolicyBench(PolicyEngineOptions(), answer)
        let second = try await PolicyBench(after: first, PolicyEngineOptions(), answer)
        async let one = first.engine.read("Items")
        async let other = second.engine.read("Items")
        let ids = try await [one.ids, other.ids]
        #expect(ids == [[1, 2], [1, 2]])
    }

    private func scratchFiles(_ bench: PolicyBench) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: bench.directory.path)
            .filter { $0.contains("-fetch-") }
    }

    @Test func removesWhatAKilledReaderHasLeft() async throws {
        let bench = try await PolicyBench()
        let left = bench.directory.appending(path: "localstore.sqlite-fetch-1f2e-staging")
        try Data("secret".utf8).write(to: left)
        try await bench.engine.start()
        #expect(try scratchFiles(bench).isEmpty)
        await bench.engine.stop()
    }

    /// What another one reads just now is left alone.
    @Test func leavesTheFilesOfAReaderAlone() async throws {
        let found = Mutex<[String]>([])
        let bench = try await PolicyBench()
        let other = try await PolicyBench(after: bench)
        bench.service.set { _ in
            try await other.engine.start()
            let files = try self.scratchFiles(bench)
            found.guarded { $0 = files }
            return LiteralService.items([1])
        }
        #expect(try await bench.engine.read("Items").ids == [1])
        #expect(found.guarded { $0.contains { $0.hasSuffix("-staging") } })
        #expect(try scratchFiles(bench).isEmpty)
        await other.engine.stop()
    }

    /// A process was killed while its change was on the way: a read finds out what became of it, and answers.
    @Test(arguments: [false, true])
    func readsAfterAnUploadWhoseAnswerWasLost(_ isCarriedOut: Bool) async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "mine"
        try await bench.provider.updateEntity(item)
        bench.transport.setFault { request in
            guard request.method == "PATCH" else { return nil }
            return isCarriedOut ? .lostAfter : .answer(HTTPResponse(status: 502))
        }
        _ = try? await bench.provider.upload()
        bench.transport.setFault(nil)
        let names = try await bench.engine.read("Items").entities?.map { $0["Name"]?.stringValue }
        #expect(names == ["one", "mine"])
        #expect(try await bench.provider.requestQueueIsEmpty())
        #expect(items.items[2]?.name == "mine")
    }
}
