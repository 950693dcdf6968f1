import ODataService
import ODataAnswers
import ODataHTTPServer
import OfflineOData
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The lines of Swift in articles compile, run and are the ones that stand there.
@Suite struct ArticleTests {
    private static let sets = ["Parts", "WorkOrders", "Tasks"]

    @Test func linesOfGettingStartedRun() async throws {
        let service = try await SampleService(sets: Self.sets)
        let listener = try HTTPListener(
            handler: SampleService.handler(service.tables, 200) { $0.service.serviceRoot = nil }
        )
        let place = try TemporaryDirectory()
        let root = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
        let directory = URL(filePath: place.path)

        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Orders",
                query: "WorkOrders?$expand=Tasks"
            )
        )
        try await provider.open()

        let orders = try await provider.executeQuery("WorkOrders?$filter=Status eq 'Open'&$top=3")
        for order in orders { print(order["Title"]?.stringValue ?? "") }

        var order = orders[0]
        order["Status"] = "Done"
        try await provider.updateEntity(order)
        try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Repair the gate"])
        )
        #expect(try await provider.requestQueue().count == 2)

        let result = try await provider.upload()  // sends the queue
        print("\(result.succeededCount) carried out, \(result.failedCount) refused")
        try await provider.download()  // fetches what changed on the service

        #expect(result.succeededCount == 2)
        #expect(try await provider.requestQueueIsEmpty())
        await listener.stop()
    }

    @Test func linesOfRemovingAfterUploadRun() async throws {
        let service = try await SampleService(sets: Self.sets)
        let place = try TemporaryDirectory()
        let provider = try service.provider(place)
        try await provider.open()

        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = true
        try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Repair the gate"]),
            options: options
        )

        #expect(try await provider.executeQuery("WorkOrders").count == 1)
        try await provider.upload()
        #expect(try await provider.executeQuery("WorkOrders").isEmpty)
    }

    @Test func linesOfErrorsAndConflictsRun() async throws {
        let service = try await SampleService(sets: Self.sets)
        let place = try TemporaryDirectory()
        let provider = try service.provider(place)
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "WorkOrders"))
        try await provider.open()
        var order = try #require(try await provider.executeQuery("WorkOrders(1001)").first)
        order["Status"] = "Done"
        try await provider.updateEntity(order)
        try await Self.changeAtTheService(service)
        try await provider.upload()
        #expect(try await provider.errorArchive().count == 1)

        for request in try await provider.errorArchive() {
            print(request.id, request.method, request.url, request.failure?.message ?? "")
        }

        let conflict = try await provider.conflict(for: "WorkOrders(1001)")
        for version in [conflict.base, conflict.local, conflict.server] {
            print(version?["Status"]?.stringValue ?? "")
        }
        try await provider.resolveConflict("WorkOrders(1001)", with: .local)

        #expect(conflict.server?["Status"]?.stringValue == "OnHold")
        #expect(try await provider.errorArchive().isEmpty)
        try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
    }

    private static func changeAtTheService(_ service: SampleService) async throws {
        let request = HTTPRequest(
            method: "PATCH",
            url: SampleService.root + "WorkOrders(1001)",
            headers: ["Content-Type": "application/json", "If-Match": "*"],
            body: Array(#"{"Status":"OnHold"}"#.utf8)
        )
        let response = try await service.transport.send(request, options: HTTPRequestOptions())
        #expect(response.status < 300)
    }

    @Test(arguments: ["GettingStarted", "RemovingAfterUpload", "ErrorsAndConflicts"])
    func articlesShowTheLinesThatRun(_ article: String) throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let parts = #filePath.split(separator: "/").dropLast(3)
        let root = "/" + parts.joined(separator: "/") + "/"
        let path = root + "Sources/OfflineOData/OfflineOData.docc/\(article).md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let blocks = text.split(separator: "```swift\n").dropFirst()
        #expect(!blocks.isEmpty)
        for block in blocks {
            let lines = block.split(separator: "\n```", maxSplits: 1)[0]
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "        " + $0 }
            #expect(source.contains(lines.joined(separator: "\n")), "\(block.prefix(80))")
        }
    }
}
