import FieldService
import Foundation
import TestSupport
import Testing

/// The README's commands, run in their order as a newcomer types them.
@Suite struct ReadmeCommandTests {
    @Test func commandsRunAsTheyStand() async throws {
        let scratch = try Scratch()
        try Self.writeFiles(scratch)
        var shell = ReadmeShell(scratch)
        let blocks = Self.blocks(
            try String(contentsOfFile: Self.root + "README.md", encoding: .utf8)
        )
        #expect(blocks.count > 10)
        var ran = 0
        for block in blocks where !Self.isLeftOut(block) {
            try await shell.run(block)
            ran += 1
        }
        #expect(ran == blocks.count - Self.notRun.count)
        await shell.end()
    }

    /// First lines of the blocks that cannot be run here, and why.
    private static let notRun = [
        "make demo": "runs all tests",
        "make build": "the tests run the built program and write the same data",
        "offline-odata open mine.sqlite": "needs a service of the reader's own",
    ]

    private static func isLeftOut(_ block: String) -> Bool {
        notRun.keys.contains { block.hasPrefix($0) }
    }

    /// The blocks of shell commands.
    private static func blocks(_ readme: String) -> [String] {
        readme.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    private static func writeFiles(_ scratch: Scratch) throws {
        try scratch.makeDirectory("field-service")
        for name in FieldServiceData.setNames {
            try scratch.write(FieldServiceData.json(forSet: name), to: "field-service/\(name).json")
        }
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("metadata"),
            withDestinationPath: root + "metadata"
        )
    }

    private static var root: String {
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/"
    }
}

/// Runs the blocks of the README: a service in the background, everything else to its end.
private struct ReadmeShell {
    private let scratch: Scratch
    private var service: RunningTool?
    private var port = "0"

    init(_ scratch: Scratch) { self.scratch = scratch }

    mutating func run(_ block: String) async throws {
        if block.hasPrefix("offline-odata serve") { return try await serve(block) }
        for command in Self.commands(block) { try await run(command: command) }
    }

    func end() async { _ = await service?.end() }

    /// A service takes the place of the one before, at the same address: the store belongs to it.
    private mutating func serve(_ line: String) async throws {
        _ = await service?.end()
        let words = local(line).split(separator: " ").dropFirst(2).map(String.init)
        let (tool, root) = try await RunningTool.service(
            words.map { $0.hasPrefix("metadata/") ? scratch.path($0) : $0 }
        )
        service = tool
        port = String(root.dropLast().split(separator: ":").last ?? "")
    }

    private func run(command: String) async throws {
        let expected = command.firstMatch(of: /exit status (\d+)/).flatMap { Int32($0.1) } ?? 0
        try scratch.write(
            """
            cd '\(scratch.directory.path())'
            offline-odata() { '\(Tool.path)' "$@"; }
            \(local(command))
            """,
            to: "run.bash"
        )
        let process = try SpawnedProcess(
            "/bin/bash",
            ["--norc", scratch.path("run.bash")],
            input: .null,
            output: .file(scratch.path("run.output")),
            errors: .file(scratch.path("run.errors"))
        )
        let status = try await process.status()
        let said = try scratch.read("run.output") + scratch.read("run.errors")
        #expect(status == expected, "\(command)\n\(said.prefix(2_000))")
    }

    /// The text with this run's directory and port.
    private func local(_ text: String) -> String {
        text.replacing("/tmp/", with: scratch.directory.path() + "/")
            .replacing("127.0.0.1:8080", with: "127.0.0.1:" + port)
            .replacing("--port 8080", with: "--port " + port)
    }

    /// The commands of a block, those of several lines as one.
    private static func commands(_ block: String) -> [String] {
        block.replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }
}
