import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// The sources made of real documents compile in the strictest mode.
    @Suite(
        .enabled(
            if: SharedFolder.isPresent,
            "The folder '../shared' with real documents is absent."
        )
    )
    struct SharedDocumentSourceTests {
        /// A sample at each build; every document in a soak.
        static let documents = IndexedDocument.all.map(\.file).enumerated()
            .filter { TestScale.isSoak || sample.contains($0.offset) }.map(\.element)

        private static let sample = [7, 118]

        @Test(arguments: documents)
        func compilesTheSourcesOfARealDocument(_ file: String) async throws {
            let scratch = try Scratch()
            let document = SharedFolder.path("metadata/" + file)
            let outcome = try await Tool.run(
                "generate",
                "swift",
                document,
                "--output",
                scratch.path("out")
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            try await SwiftCompiler.check(scratch.path("out"))
        }
    }
#endif
