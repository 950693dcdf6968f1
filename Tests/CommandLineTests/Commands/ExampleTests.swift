import FieldService
import FieldServiceMetadata
import Foundation
import ODataModelConversion
import TestSupport
import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

/// Every example of every `--help`, run against the sample as it stands.
@Suite struct ExampleTests {
    /// An example and the command that shows it.
    struct Example: Sendable, CustomTestStringConvertible {
        var command: String
        var line: String

        var testDescription: String { line }
    }

    static let all = CommandCatalog.commands.flatMap { command in
        command.syntax.examples.map { Example(command: command.name, line: $0.line) }
    }

    /// What cannot be run here, and why; their words are read by the command's own reader all the same (`HelpTests`).
    private static let notRun = [
        "open field.store --proxy": "needs a proxy and a certificate",
        "identify ": "needs a service that tells no keys",
        "rekey ": "needs a SQLite with a cipher",
        "demo": "has a service of its own, and minutes to tell",
        "events field.store --stream": "needs a stream that has lost in a conflict",
    ]

    /// Exit statuses other than 0 that an example shows.
    private static let statuses: [String: Int32] = [
        // The sample's request has met a conflict, which is settled by `resolve`.
        "errors edit field.store 1 @corrected.json": 1
    ]

    private static func isRun(_ example: Example) -> Bool {
        !notRun.keys.contains { example.line.hasPrefix($0) }
    }

    @Test(arguments: all.filter { isRun($0) && $0.command != "serve" })
    func runsEachExampleOfTheHelp(_ example: Example) async throws {
        let sample = try await ExampleSample.shared.ready()
        let scratch = try sample.copy()
        let outcome = try await Self.run(example.line, sample.root, scratch)
        #expect(
            outcome.status == Self.statuses[example.line] ?? 0,
            "\(example.line)\n\(outcome.output)\(outcome.errors)"
        )
    }

    @Test(arguments: all.filter { $0.command == "serve" })
    func listensForEachExampleOfServe(_ example: Example) async throws {
        let sample = try await ExampleSample.shared.ready()
        let scratch = try sample.copy()
        let names = try scratch.names()
        var words = example.line.split(separator: " ").dropFirst().map(String.init)
        if let port = words.firstIndex(of: "--port") { words[port + 1] = "0" }
        let absolute = words.map { word in
            let first = word.prefix { $0 != "/" }
            return names.contains(String(first)) ? scratch.path(word) : word
        }
        let (tool, _) = try await RunningTool.service(absolute)
        #expect(await tool.end() == 8)
    }

    @Test func leavesOutNothingButWhatItNames() {
        for start in Self.notRun.keys {
            #expect(Self.all.contains { $0.line.hasPrefix(start) }, "\(start)")
        }
    }

    /// Runs a line as a shell does, the program in the place of its name.
    private static func run(_ line: String, _ root: String, _ scratch: Scratch) async throws
        -> Tool.Outcome
    {
        var line = line
        for address in ["https://example.org/odata/", "http://127.0.0.1:8080/"] {
            line = line.replacing(address, with: root)
        }
        try scratch.write(
            """
            set -o pipefail
            cd '\(scratch.directory.path())'; export HOME="$PWD"
            offline-odata() { '\(Tool.path)' "$@"; }
            # Programs of others, where they are not installed.
            command -v jq > /dev/null || jq() { cat > /dev/null; }
            command -v sqlite3 > /dev/null || sqlite3() { cat > /dev/null; }
            command -v xmllint > /dev/null || xmllint() { cat > /dev/null; }
            offline-odata \(line)
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
        return Tool.Outcome(
            status: try await process.status(),
            output: String(try scratch.read("run.output").prefix(2_000)),
            errors: try scratch.read("run.errors")
        )
    }
}

/// The sample with a service, a store of it, and the files that examples name; made once.
private actor ExampleSample {
    static let shared = ExampleSample()

    private var made: Task<Ready, any Error>?

    struct Ready: Sendable {
        let service: RunningTool
        let root: String
        let scratch: Scratch

        /// A directory of its own for an example.
        func copy() throws -> Scratch {
            let copy = try Scratch()
            for name in try scratch.names() { try scratch.copy(name, to: copy) }
            return copy
        }
    }

    func ready() async throws -> Ready {
        if let made { return try await made.value }
        let task = Task { try await Self.make() }
        made = task
        return try await task.value
    }

    private static func make() async throws -> Ready {
        let scratch = try Scratch()
        try writeFiles(scratch)
        let (service, root) = try await RunningTool.service(
            ["--metadata", scratch.path("v1.xml"), "--data", scratch.path("rows"), "--delta"]
        )
        service.endWithTests()
        for store in ["field.store", "other.store"] {
            try await run(["open", store, "--service", root] + queries, scratch)
        }
        // Request 1 is refused, since somebody else has changed the work order; 2 and 3 wait.
        let title = #"{"Title":"Theirs"}"#
        try await run(["patch", "other.store", "WorkOrders(1001)", title], scratch)
        try await run(["upload", "other.store"], scratch)
        let lines = [
            ["patch", "field.store", "WorkOrders(1001)", #"{"Priority":"Urgent"}"#],
            ["upload", "field.store"],
            ["patch", "field.store", "WorkOrders(1002)", #"{"Priority":"Urgent"}"#],
            ["delete", "field.store", "Tasks(1)"],
            [
                "put", "field.store", "Attachments(461a6ea6-d55e-47af-ad5e-1684c8f2fb9a)/$value",
                "@photo.jpg",
            ],
        ]
        for line in lines { try await run(line, scratch, allowing: [0, 5]) }
        try await run(
            ["import", "trial.store", "--metadata", "v1.xml", "rows/Parts.json"],
            scratch
        )
        try await run(
            ["get", "field.store", "Parts?$top=20", "--har", "session.har"] + fetched,
            scratch
        )
        try await makeJob(root, scratch)
        return Ready(service: service, root: root, scratch: scratch)
    }

    /// A job of three stores, and the report of one of its parts.
    private static func makeJob(_ root: String, _ scratch: Scratch) async throws {
        try scratch.makeDirectory("reports")
        try scratch.write(
            """
            {"service": "\(root)", "stores": ["north.store", "east.store", "west.store"],
             "queries": {"Parts": "Parts"}}
            """,
            to: "nightly.json"
        )
        for part in 0..<8 {
            let options = ["--shard", "\(part)/8", "--report", "reports/\(part).json"]
            try await run(["run", "nightly.json"] + options, scratch)
        }
    }

    private static let fetched = ["--fetch-policy", "FETCH_FROM_SERVICE"]

    private static let queries = [
        "Orders=WorkOrders?$expand=Tasks", "Parts=Parts", "Customers=Customers",
        "Attachments=Attachments",
    ].flatMap { ["--query", $0] }

    private static func run(
        _ line: [String],
        _ scratch: Scratch,
        allowing statuses: [Int32] = [0]
    ) async throws {
        let outcome = try await Tool.run(line, in: scratch)
        guard statuses.contains(outcome.status) else { throw ToolFailure(outcome: outcome) }
    }

    private static func writeFiles(_ scratch: Scratch) throws {
        for (name, bytes) in [
            ("v1.xml", FieldServiceMetadata.v1), ("v2.xml", FieldServiceMetadata.v2),
            ("v3.xml", FieldServiceMetadata.v3), ("metadata.xml", FieldServiceMetadata.v1),
            ("live.xml", FieldServiceMetadata.v1), ("next.xml", FieldServiceMetadata.v2),
        ] {
            try scratch.write(bytes, to: name)
        }
        let json = try CSDLJSONConverter.json(ofXML: FieldServiceMetadata.v1)
        try scratch.write(json, to: "metadata.json")
        try scratch.makeDirectory("rows")
        try scratch.write(FieldServiceMetadata.v1, to: "rows/metadata.xml")
        for name in FieldServiceData.setNames {
            try scratch.write(FieldServiceData.json(forSet: name), to: "rows/\(name).json")
        }
        for directory in [".local/share/bash-completion/completions", ".zfunc"] {
            try scratch.makeDirectory(directory)
        }
        for (name, text) in files { try scratch.write(text, to: name) }
    }

    private static let files: [(String, String)] = [
        ("token.txt", "secret\n"), ("session.txt", "session=1\n"),
        ("corrected.json", #"{"Priority":"High"}"#),
        (
            "entry.json",
            #"{"ID":"7ba7f0ff-f64d-4602-8e99-000000000001","WorkOrderID":1002,"#
                + #""TechnicianID":"3329f979-f9a0-4aa4-b0d8-bb930c3db310","Activity":"Work","#
                + #""StartedAt":"2025-05-28T09:24:00Z","Duration":"PT1H"}"#
        ),
        (
            "part.json",
            #"{"Number":"PMP-1000","Name":"Pump","UnitPrice":858.79,"InStock":150,"IsHazardous":false}"#
        ),
        ("photo.jpg", "not really a photo"), ("steps.txt", "status\nget Parts/$count\n"),
        ("requests.txt", #"{"requests":[{"id":"1","method":"get","url":"Parts('PMP-1000')"}]}"#),
        ("faults.json", #"[{"match":"GET /Parts","nth":1,"action":"status","status":503}]"#),
        (
            "policies.json",
            #"{"synchronization":{"policies":[{"path":"incidents/*","fetchPolicy":"FETCH_FROM_CACHE"}]}}"#
        ),
        (
            "OMC.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>mobileBackends</key><dict><key>HR/1.0</key><dict>
            <key>default</key><true/><key>synchronization</key><dict><key>defaultPolicy</key>
            <dict><key>fetchPolicy</key><string>FETCH_FROM_SERVICE_IF_ONLINE</string></dict></dict>
            </dict></dict></dict></plist>
            """
        ),
    ]
}
