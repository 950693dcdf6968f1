import TestSupport
import Testing

/// The demonstration checks each effect that it tells of.
@Suite struct DemoTests {
    @Test func showsEveryEffect() async throws {
        let outcome = try await Tool.run("demo", "--keep", "demo", in: try Scratch())
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("Every effect above was checked.\n"), "\(outcome.output)")
    }
}
