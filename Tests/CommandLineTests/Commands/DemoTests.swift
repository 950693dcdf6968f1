import Foundation
import TestSupport
import Testing

/// The demonstration checks each effect that it tells of.
@Suite struct DemoTests {
    @Test func showsEveryEffect() async throws {
        let scratch = try Scratch()
        let outcome = try await Tool.run("demo", "--keep", "a demo", in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("Every effect above was checked.\n"), "\(outcome.output)")
        // The commands that it prints at its end work as they stand.
        #expect(
            outcome.errors.contains("serve --metadata 'a demo/metadata.xml'"),
            "\(outcome.errors)"
        )
        let files = ["metadata.xml", "service.sqlite"].map {
            scratch.url("a demo/\($0)").path(percentEncoded: false)
        }
        let (service, _) = try await RunningTool.service(
            ["--metadata", files[0], "--database", files[1]]
        )
        #expect(await service.end() == 8)
    }

    @Test func tellsItsStepsInJSON() async throws {
        let scratch = try Scratch()
        let outcome = try await Tool.run("demo", "--keep", "kept", "--json", in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answer = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let members = try #require(answer as? [String: Any])
        #expect((members["steps"] as? [String])?.last == "Done. Every effect above was checked.")
        #expect(members["directory"] as? String == "kept")
    }
}
