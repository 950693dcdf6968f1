import Foundation
import TestSupport
import Testing

/// The compiler of the toolchain that has built the tests.
enum SwiftCompiler {
    /// Type-checks the sources of a directory in the strictest mode, against the modules that were built.
    static func check(_ directory: String) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        let sources = names.filter { $0.hasSuffix(".swift") }.map { directory + "/" + $0 }
        let scratch = try Scratch()
        let process = try SpawnedProcess(
            "/usr/bin/env",
            ["swiftc", "-typecheck", "-module-name", "Generated"] + options + sources,
            output: .file(scratch.path("output")),
            errors: .file(scratch.path("errors"))
        )
        let status = try await process.status()
        let errors = String(try scratch.read("errors").prefix(2_000))
        #expect(status == 0, "\(errors)")
    }

    private static let products = URL(filePath: Tool.path).deletingLastPathComponent()
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static var options: [String] {
        let features = [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
            "InferIsolatedConformances", "NonisolatedNonsendingByDefault",
        ]
        let libraries = ["CByteMasks", "CSQLite", "CThreadSanitizer"]
        let targets = ["CCurl", "CLibXML2", "CNetlink"]
        var options = ["-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors"]
        for feature in features { options += ["-enable-upcoming-feature", feature] }
        options += ["-I", products.appending(path: "Modules").path()]
        for library in libraries {
            options += ["-I", root.appending(path: "Sources/\(library)").path()]
        }
        options += ["-Xcc", "-I/usr/include/libxml2"]
        for target in targets {
            let map = products.appending(path: "\(target).build/module.modulemap").path()
            options += ["-Xcc", "-fmodule-map-file=" + map]
        }
        return options
    }
}
