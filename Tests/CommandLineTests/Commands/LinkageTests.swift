import Foundation
import Testing

/// The executable starts in a few milliseconds because it links little.
@Suite struct LinkageTests {
    #if os(Linux)
        @Test(
            .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/ldd"), "There is no ldd.")
        )
        func linksNoFoundationButItsEssentials() async throws {
            let scratch = try Scratch()
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/ldd")
            process.arguments = [Tool.path]
            process.standardOutput = try scratch.handle("output")
            let finished = Finished(process)
            try process.run()
            #expect(await finished.status() == 0)

            let libraries = try scratch.read("output")
            #expect(libraries.contains("libsqlite3"))
            #expect(!libraries.contains("libFoundation.so"))
            #expect(!libraries.contains("libFoundationNetworking"))
            #expect(!libraries.contains("libFoundationXML"))
        }
    #endif
}
