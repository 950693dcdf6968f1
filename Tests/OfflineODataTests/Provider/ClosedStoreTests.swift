import ODataSQLite
import ODataHTTP
import ODataTables
import OfflineStore
import StoreRecords
import TestSupport
import Testing

@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a provider does before it is open, after it was closed, and when its file is gone.
@Suite struct ClosedStoreTests {
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        return (service, try await service.opened(["Orders"]))
    }

    /// Work that was refused may not go on in the background: it would hold the store.
    @Test func doesNothingAfterItWasClosed() async throws {
        let (service, provider) = try await opened()
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["ID": 2]))
        try await provider.close()
        service.clearLog()
        for work in [provider.upload, { _ = try await provider.download() }]
            as [() async throws -> Any]
        {
            let error = await #expect(throws: OfflineODataError.self) { _ = try await work() }
            #expect(error?.code == .closed)
        }
        let post = HTTPRequest(
            method: "POST",
            url: "Orders",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":3}"#.utf8)
        )
        for request in [post, HTTPRequest(method: "GET", url: "Orders")] {
            #expect(await !provider.respond(to: request).isSuccess)
        }
        #expect(service.requests.isEmpty)
        try await OfflineODataProvider.removeStore(at: provider.storeFile, force: true)
    }

    /// The read would go on for hours, and hold up the end of the store.
    @Test(.timeLimit(.minutes(5))) func cancelsTheReadsThatRun() async throws {
        let (_, provider) = try await opened()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let read = Task {
            try await provider.store.readCancellable { query, _ in
                begin.yield()
                return try query.connection.integer(
                    """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number)
                    SELECT count(*) FROM number
                    """
                )
            }
        }
        for await _ in begun { break }
        try await provider.close()
        await #expect(throws: CancellationError.self) { try await read.value }
    }

    /// It was not the caller who has cancelled.
    @Test(.timeLimit(.minutes(5))) func saysThatTheStoreWasClosedWhereThatEndsARead() async throws {
        let (_, provider) = try await opened()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let read = Task {
            try await provider.mapping {
                try await provider.store.readCancellable { query, _ in
                    begin.yield()
                    return try query.connection.integer(
                        """
                        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number)
                        SELECT count(*) FROM number
                        """
                    )
                }
            }
        }
        for await _ in begun { break }
        try await provider.close()
        let error = await #expect(throws: OfflineODataError.self) { try await read.value }
        #expect(error?.code == .closed)
    }

    @Test func readsNoRequestsAfterItWasClosed() async throws {
        let (_, provider) = try await opened()
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["ID": 2]))
        let (requests, counts) = (provider.requests, provider.requests.counts)
        try await provider.close()
        let first = await #expect(throws: OfflineODataError.self) {
            for try await _ in requests {}
        }
        let second = await #expect(throws: OfflineODataError.self) {
            for try await _ in counts { break }
        }
        #expect(first?.code == .closed && second?.code == .closed)
    }

    @Test func countsNoUploadAsCutThatCouldNotBegin() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let provider = try service.provider()
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await !provider.hasPendingUpload())
        try await provider.close()
    }

    /// The file goes while a transaction is open: its commit would be the last that anyone hears of it.
    @Test func refusesToCommitWhereTheFileGoesMeanwhile() async throws {
        let (_, provider) = try await opened()
        let path = provider.storeFile
        let error = await #expect(throws: StoreError.self) {
            try await provider.store.file.write { connection in
                try connection.execute("DELETE FROM \"$event\"")
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(error?.message.contains("was removed or replaced") == true)
    }

    /// A change and the removal of the store at the same moment: one of them is refused.
    @Test func losesNoChangeToARemoval() async throws {
        for round in 0..<TestScale.size(15, soak: 300) {
            let (_, first) = try await opened()
            let second = try OfflineODataProvider(storeFile: first.storeFile)
            async let created = Self.succeeds {
                for _ in 0..<(round % 5) { await Task.yield() }
                try await second.createEntity(EntityValue(entitySet: "Orders", ["ID": 2]))
            }
            async let cleared = Self.succeeds { try await first.clear() }
            let both = await (created, cleared)
            #expect(both != (true, true))
        }
    }

    private static func succeeds(_ work: @Sendable () async throws -> Void) async -> Bool {
        do { try await work() } catch { return false }
        return true
    }

    /// The changes would go into a file that is never found.
    @Test func refusesChangesWhereTheFileIsGone() async throws {
        let (_, first) = try await opened()
        let second = try OfflineODataProvider(storeFile: first.storeFile)
        try await first.clear()
        let error = await #expect(throws: OfflineODataError.self) {
            try await second.createEntity(EntityValue(entitySet: "Orders", ["ID": 2]))
        }
        #expect(error?.message.contains("was removed or replaced") == true)
    }

    @Test func takesQueriesWithASlashBeforeThem() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        let provider = try service.provider()
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "/Orders"))
        try await provider.open()
        #expect(try await provider.executeQuery("/Orders").count == 1)
        #expect(try await provider.definingQueries().map(\.query) == ["Orders"])
    }
}
