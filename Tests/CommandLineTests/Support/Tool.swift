import Foundation
import TestSupport

/// The built executable, run as a user runs it.
enum Tool {
    /// What a run left.
    struct Outcome: Sendable, Equatable {
        var status: Int32
        var output: String
        var errors: String

        /// The same with all times zero.
        var untimed: Outcome {
            Outcome(
                status: status,
                output: output.replacing(/"seconds":[0-9.]+/, with: "\"seconds\":0")
                    .replacing(/, [0-9.]+ s\n/, with: ", 0 s\n"),
                errors: errors
            )
        }
    }

    /// The executable beside the tests.
    static let path = products.appending(path: "offline-odata").path()

    private static let products: URL = {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
            return bundle.bundleURL.deletingLastPathComponent()
        #else
            let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
            return executable.resolvingSymlinksInPath().deletingLastPathComponent()
        #endif
    }()

    /// Runs the executable to its end.
    static func run(
        _ arguments: String...,
        input: String = "",
        in directory: Scratch? = nil
    ) async throws -> Outcome {
        try await run(arguments, input: input, in: directory)
    }

    /// Runs the executable to its end as somebody to whom the modes of files apply, which they do not to the administrator.
    static func runUnprivileged(
        _ arguments: [String],
        temporaryDirectory: String = "/tmp"
    ) async throws -> Outcome {
        #if os(Linux)
            guard geteuid() != 0 else {
                let identity = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"]
                // The administrator's own directory for temporary files may be closed to others.
                let environment = ["/usr/bin/env", "TMPDIR=\(temporaryDirectory)"]
                return try await run(
                    "/usr/bin/setpriv",
                    identity + environment + [path] + arguments
                )
            }
        #endif
        return try await run(arguments)
    }

    /// Runs the executable to its end.
    static func run(
        _ arguments: [String],
        input: String = "",
        in directory: Scratch? = nil
    ) async throws -> Outcome {
        try await run(path, arguments, input: input, in: directory)
    }

    /// Runs a line of the system's shell, for what only that can say of a process.
    static func runShell(_ line: String, in directory: Scratch) async throws -> Outcome {
        try await run("/bin/sh", ["-c", line], in: directory)
    }

    #if os(Linux)
        /// Runs the executable and returns what the dynamic linker says of the libraries that it loads.
        static func librariesLoaded(by arguments: [String], in directory: Scratch) async throws
            -> String
        {
            let debugging = ["LD_DEBUG=files", path]
            let outcome = try await run("/usr/bin/env", debugging + arguments, in: directory)
            guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
            return outcome.errors
        }
    #endif

    private static func run(
        _ executable: String,
        _ arguments: [String],
        input: String = "",
        in directory: Scratch? = nil
    ) async throws -> Outcome {
        let scratch = try Scratch()
        try scratch.write(input, to: "input")
        let process = try SpawnedProcess(
            executable,
            arguments,
            in: directory?.directory.path(),
            input: .file(scratch.path("input")),
            output: .file(scratch.path("output")),
            errors: .file(scratch.path("errors"))
        )
        return Outcome(
            status: try await process.status(),
            output: try scratch.read("output"),
            errors: try scratch.read("errors")
        )
    }
}
