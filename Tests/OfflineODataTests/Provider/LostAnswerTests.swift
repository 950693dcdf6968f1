import ODataService
import ODataHTTP
import ODataAnswers
import OfflineOData
import TestSupport
import Testing

/// What an upload does about requests whose answer never came: the effects are counted at the service.
@Suite struct LostAnswerTests {
    private func opened(_ service: SampleService, _ directory: TemporaryDirectory) async throws
        -> OfflineODataProvider
    {
        let provider = try service.provider(directory)
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Parts", query: "Parts"))
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "WorkOrders")
        )
        try await provider.open()
        return provider
    }

    private func isBatch(_ request: HTTPRequest) -> Bool { request.url.hasSuffix("$batch") }

    private func count(_ service: SampleService, _ url: String) async -> String {
        String(decoding: await service.get(url).body, as: UTF8.self)
    }

    @Test func keepsEverythingWhenNothingWasSent() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        let provider = try await opened(service, directory)
        try await provider.createEntity(EntityValue(entitySet: "WorkOrders", ["Title": "one"]))
        service.transport.setFault { _ in .lostBefore }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await provider.requestQueue().map(\.status) == [.pending])

        service.transport.setFault(nil)
        #expect(try await provider.upload().succeededCount == 1)
        #expect(await count(service, "WorkOrders/$count?$filter=Title eq 'one'") == "1")
    }

    @Test func neverSendsACreateWithoutKeyTwice() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        let provider = try await opened(service, directory)
        try await provider.createEntity(EntityValue(entitySet: "WorkOrders", ["Title": "once"]))
        service.transport.setFault { self.isBatch($0) ? .lostAfter : nil }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }

        service.transport.setFault(nil)
        let result = try await provider.upload()
        #expect(result.unknownCount == 1)
        #expect(try await provider.requestQueue().map(\.status) == [.unknownOutcome])
        #expect(await count(service, "WorkOrders/$count?$filter=Title eq 'once'") == "1")
    }

    @Test func findsACreateWithItsOwnKeyAtTheService() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        let provider = try await opened(service, directory)
        try await provider.createEntity(
            EntityValue(
                entitySet: "Parts",
                ["Number": "P-1", "Name": "Valve", "UnitPrice": .number("9.90"), "InStock": 3]
            )
        )
        service.transport.setFault { self.isBatch($0) ? .lostAfter : nil }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.transport.setFault(nil)
        _ = try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
        #expect(await count(service, "Parts/$count?$filter=Number eq 'P-1'") == "1")
    }

    @Test(arguments: [HandlerTransport.HTTPFault.lostAfter, .cut(bytes: 40)])
    func settlesAnUpdateByReadingItBack(_ fault: HandlerTransport.HTTPFault) async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        let provider = try await opened(service, directory)
        var order = try #require(try await provider.executeQuery("WorkOrders?$top=1").first)
        order["Title"] = "read back"
        try await provider.updateEntity(order)
        service.transport.setFault { self.isBatch($0) ? fault : nil }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        let sent = service.transport.requests.count { self.isBatch($0) }

        service.transport.setFault(nil)
        _ = try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
        #expect(service.transport.requests.count { self.isBatch($0) } == sent)
        #expect(await count(service, "WorkOrders/$count?$filter=Title eq 'read back'") == "1")
    }

    @Test func sendsOneByOneWhereThereIsNoBatch() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"]) {
            $0.service.hasBatch = false
        }
        let directory = try TemporaryDirectory()
        let provider = try await opened(service, directory)
        let order = try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "alone"])
        )
        try await provider.createRelatedEntity(
            EntityValue(entitySet: "Tasks", ["Title": "child"]),
            in: order,
            property: "Tasks"
        )
        let result = try await provider.upload()
        #expect(result.succeededCount == 2)
        #expect(await count(service, "Tasks/$count?$filter=WorkOrder/Title eq 'alone'") == "1")
    }

    @Test(arguments: [401, 408, 429])
    func keepsWhatTheServiceDidNotLookAt(_ status: Int) async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        let provider = try await opened(service, directory)
        try await provider.createEntity(EntityValue(entitySet: "WorkOrders", ["Title": "later"]))
        service.transport.setFault {
            self.isBatch($0) ? .answer(HTTPResponse(status: status)) : nil
        }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await provider.requestQueue().map(\.status) == [.pending])
        #expect(try await provider.errorArchive().isEmpty)
    }

    @Test func fetchesATokenWhereTheServiceWantsOne() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"]) {
            $0.wantsCSRFToken = true
        }
        let directory = try TemporaryDirectory()
        let provider = try await opened(service, directory)
        try await provider.createEntity(EntityValue(entitySet: "WorkOrders", ["Title": "token"]))
        #expect(try await provider.upload().succeededCount == 1)
    }
}
