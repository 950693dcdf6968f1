import ODataBinding
import ODataSQLite
import OfflineOData
import TestSupport
import Testing

@Suite struct LiveQueryTests {
    @Test func yieldsAgainWhereAValueThatItReadsChanges() async throws {
        let store = try await SmallStore()
        var live = store.provider.liveQuery("WorkOrders?$select=Title&$orderby=Title")
            .makeAsyncIterator()
        let first = try #require(try await live.next())
        #expect(first.compactMap { $0["Title"]?.stringValue } == ["First", "Second"])
        try await store.retitle(store.orders[0], "Third")
        let second = try #require(try await live.next())
        #expect(second.compactMap { $0["Title"]?.stringValue } == ["Second", "Third"])
    }

    /// What must not wake it is done first; the answer that comes is that of the last change, and nothing comes before.
    @Test func staysSilentForWhatItDoesNotRead() async throws {
        let store = try await SmallStore()
        var live = store.provider.liveQuery("Parts?$select=Name&$filter=InStock gt 0")
            .makeAsyncIterator()
        var answers = [try #require(try await live.next())]
        try await store.retitle(store.task, "Another set")
        var part = try await store.entity("Parts('P1')")
        part["UnitPrice"] = .number("2.50")
        try await store.provider.updateEntity(part)
        part["Name"] = "Part"
        try await store.provider.updateEntity(part)
        await #expect(throws: (any Error).self) {
            try await store.provider.createEntity(
                EntityValue(entitySet: "Parts", ["Number": "P1", "Name": "Twice"])
            )
        }
        part = try await store.entity("Parts('P2')")
        part["InStock"] = 0
        try await store.provider.updateEntity(part)
        answers.append(try #require(try await live.next()))
        #expect(answers.map(\.count) == [3, 2])
    }

    @Test func yieldsForAnsweredEntitiesOfOtherSets() async throws {
        let store = try await SmallStore()
        let query = ODataQuery("WorkOrders").select("Title").expand("Tasks") { $0.select("Title") }
        var live = store.provider.liveQuery(query).makeAsyncIterator()
        _ = try await live.next()
        try await store.retitle(store.task, "Looked")
        let answer = try #require(try await live.next())
        let tasks = answer.flatMap { $0["Tasks"]?.items ?? [] }
        #expect(tasks.contains { $0["Title"]?.stringValue == "Looked" })
    }

    /// Another process writes to the file by connections of its own.
    @Test func yieldsForWhatAnotherProcessCommits() async throws {
        let store = try await SmallStore()
        var live = store.provider.liveQuery("Parts?$select=Name&$filter=Number eq 'P1'")
            .makeAsyncIterator()
        _ = try await live.next()
        let other = try SQLiteConnection(
            path: store.directory.path + "/localstore.sqlite",
            mode: .readWrite,
            key: TestKey.connection
        )
        try other.execute("UPDATE \"Parts\" SET \"Name\" = 'theirs' WHERE \"Number\" = 'P1'")
        let answer = try #require(try await live.next())
        #expect(answer.map { $0["Name"]?.stringValue } == ["theirs"])
    }

    /// A change waits, is sent, and the last one is refused.
    @Test func followsTheStatesOfItsEntities() async throws {
        let store = try await SmallStore()
        store.refuse("Never")
        let query = "Parts?$select=InStock&$filter=Number eq 'P1'"
        var live = store.provider.liveQuery(query).makeAsyncIterator()
        #expect(try await live.next()?.first?.hasPendingChanges == false)
        for (name, isRefused) in [("Other", false), ("Never", true)] {
            var part = try await store.entity("Parts('P1')")
            part["Name"] = .string(name)
            try await store.provider.updateEntity(part)
            let waiting = try #require(try await live.next()?.first)
            #expect(waiting.hasPendingChanges && !waiting.inErrorState)
            _ = try? await store.provider.upload()
            var sent = try #require(try await live.next()?.first)
            while sent.hasPendingChanges, !sent.inErrorState {
                sent = try #require(try await live.next()?.first)
            }
            #expect(sent.inErrorState == isRefused)
        }
    }

    @Test func endsWhenTheTaskIsCancelled() async throws {
        let store = try await SmallStore()
        let live = store.provider.liveQuery("Parts")
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for try await _ in live {
                count += 1
                signal.yield()
            }
            return count
        }
        for await _ in started { break }
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test func refusesAWrongQuery() async throws {
        let store = try await SmallStore()
        var live = store.provider.liveQuery("Parts?$filter=Nothing eq 1").makeAsyncIterator()
        await #expect(throws: OfflineODataError.self) { try await live.next() }
    }
}
