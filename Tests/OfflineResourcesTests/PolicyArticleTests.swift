import Foundation
import OfflinePolicies
import OfflineOData
import OfflineResources
import Testing

/// The lines of Swift in the article about policies compile, run and are the ones that stand there.
@Suite struct PolicyArticleTests {
    @Test func linesOfSwiftRun() async throws {
        let bench = try await PolicyBench()
        let provider = bench.provider
        let file = Array("{\"synchronization\":{}}".utf8)

        // Article begin
        var options = PolicyEngineOptions()
        // `file` is JSON, OMC.plist or the XML format.
        options.configuration = try PolicyConfiguration(reading: file).backend()
        options.conflictRules = ConflictRules(.mergingProperties(otherwise: .serverModifiedWins))
        let engine = PolicyEngine(provider: provider, options: options)
        try await engine.start()  // a new session: expires, evicts, begins refreshes
        let answer = try await engine.read(
            "Items?$top=20",
            policy: ResourcePolicy(fetchPolicy: .withRefresh)
        )
        print(answer.origin.place, answer.origin.isExpired, answer.entities?.count ?? 0)
        try await engine.setOfflineMode(true)
        // Article end

        #expect(engine.networkStatus == .offlineByChoice)
        await engine.stop()
    }

    @Test func articleShowsTheLinesThatRun() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let article = try String(contentsOfFile: Self.article, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex { $0.hasSuffix("// Article begin") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("// Article end") })
        let shown = lines[(begin + 1)..<end].map { $0.dropFirst(8) }.joined(separator: "\n")
        #expect(article.contains(shown))
    }

    /// No block of Swift in the article stands outside of the test, and none in the README outside of its own.
    @Test func everyBlockIsTested() throws {
        let article = try String(contentsOfFile: Self.article, encoding: .utf8)
        let readme = try String(contentsOfFile: Self.root + "README.md", encoding: .utf8)
        for text in [article, readme] {
            #expect(text.components(separatedBy: "```swift").count - 1 == 1)
        }
    }

    private static var article: String {
        root + "Sources/OfflineOData/OfflineOData.docc/Policies.md"
    }

    private static var root: String {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/") + "/"
    }
}
