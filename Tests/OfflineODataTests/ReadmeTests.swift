import ODataService
import ODataHTTPServer
import ODataAnswers
import OfflineOData
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The README's lines compile, run and are the ones that stand there.
@Suite struct ReadmeTests {
    @Test func linesOfSwiftRun() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders", "Tasks"])
        let listener = try HTTPListener(
            handler: SampleService.handler(service.tables, 200) { $0.service.serviceRoot = nil }
        )
        let place = try TemporaryDirectory()
        let root = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
        let directory = URL(filePath: place.path)

        // README begin
        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Orders",
                query: "WorkOrders?$expand=Tasks"
            )
        )
        try await provider.open()  // the first time: creates the store and loads it
        let urgent = try await provider.executeQuery(
            "WorkOrders?$filter=Priority eq 'Urgent'&$top=3"
        )
        try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Repair the gate"])
        )
        try await provider.upload()  // sends what was changed offline
        try await provider.download()  // brings what changed on the service
        // README end

        #expect(urgent.count == 3)
        #expect(try await provider.requestQueueIsEmpty())
        await listener.stop()
    }

    @Test func readmeShowsTheLinesThatRun() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let readme = try String(contentsOfFile: Self.root + "README.md", encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex { $0.hasSuffix("// README begin") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("// README end") })
        let shown = lines[(begin + 1)..<end].map { $0.dropFirst(8) }.joined(separator: "\n")
        #expect(readme.contains(shown))
    }

    private static var root: String {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/") + "/"
    }
}
