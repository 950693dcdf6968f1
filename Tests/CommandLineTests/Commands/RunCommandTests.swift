import Foundation
import TestSupport
import Testing

/// `run`: many stores, in parts, killed and started again.
@Suite struct RunCommandTests {
    private static func job(
        _ root: String,
        _ stores: Int,
        _ members: String = "",
        in scratch: Scratch
    ) throws {
        let list = (1...stores).map { "\"s\($0).store\"" }.joined(separator: ", ")
        try scratch.write(
            """
            {
              "service": "\(root)",
              "stores": [\(list)],
              "queries": {"P": "Parts"},
              "retries": 0,
              "concurrency": 1\(members)
            }
            """,
            to: "job.json"
        )
    }

    /// The answer with its times set to zero.
    private static func untimed(_ text: String) -> String {
        text.replacing(/"(started|finished)":"[^"]*"/) { "\"\($0.1)\":\"T\"" }
            .replacing(/"seconds":[0-9.]+/, with: "\"seconds\":0")
    }

    @Test func reportsEachStore() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        try Self.job(server.root, 1, in: scratch)
        let outcome = try await Tool.run("run", "job.json", "--json", in: scratch)
        #expect(
            Self.untimed(outcome.output) == """
                {"job":"job.json","shards":[],"stores":1,"outcomes":[
                {"store":"s1.store","status":"done","attempts":1,"started":"T","seconds":0,"steps":[\
                {"do":"open","finished":"T","seconds":0,"entities":3,"queries":1,"requests":2},\
                {"do":"upload","finished":"T","seconds":0,"carriedOut":0,"parked":0,"refused":0,"requests":0,"unknownOutcome":0,"waiting":0},\
                {"do":"download","finished":"T","seconds":0,"conflicts":0,"inserted":0,"links":0,"removed":0,"requests":2,"updated":0}]}
                ],"done":1,"refused":0,"unreachable":0,"failed":0,"remaining":0}

                """
        )
        #expect(outcome.status == 0)
        #expect(try scratch.read("job.report.json") == outcome.output)
    }

    @Test func listsWhatIsDueAndDoesNothing() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        try Self.job(server.root, 2, in: scratch)
        let text = try await Tool.run("run", "job.json", "--dry-run", in: scratch)
        #expect(
            text.output == """
                job.json: 2 stores due

                store     steps
                s1.store  open, upload, download
                s2.store  open, upload, download

                """
        )
        let json = try await Tool.run(
            "run",
            "job.json",
            "--dry-run",
            "--shard",
            "0/2",
            "--json",
            in: scratch
        )
        #expect(
            json.output
                == #"{"job":"job.json","shards":["2/2"],"stores":1,"plan":[{"store":"s1.store","steps":["open","upload","download"]}]}"#
                + "\n"
        )
        #expect(try scratch.names() == ["job.json"])
        #expect(server.takeAsked() == [])
    }

    /// A path that is mistyped is named before the night, not after it.
    @Test func namesStoresThatNoStepMakes() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        try Self.job(server.root, 1, #", "steps": ["upload", "check"]"#, in: scratch)
        let text = try await Tool.run("run", "job.json", "--dry-run", in: scratch)
        #expect(
            text.errors
                == "s1.store is not there, and no step makes it: it will fail."
                + " A step open makes a store of the job's service.\n"
        )
        let json = try await Tool.run("run", "job.json", "--dry-run", "--json", in: scratch)
        #expect(
            json.output.hasSuffix(
                #"{"store":"s1.store","steps":["upload","check"],"isMissing":true}]}"# + "\n"
            )
        )
        #expect(try scratch.names() == ["job.json"])
    }

    @Test func endsWithTheStatusOfItsStores() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        try Self.job(server.root, 2, in: scratch)
        #expect(try await Tool.run("run", "job.json", in: scratch).status == 0)
        _ = try await Tool.run("patch", "s2.store", "Parts(1)", #"{"Name":"mine"}"#, in: scratch)
        server.change(1, "theirs")

        let refused = try await Tool.run("run", "job.json", "--again", in: scratch)
        #expect(
            refused.output == """
                job.json: 2 stores: 1 done, 1 with refused changes

                store     outcome  attempts  step    reason
                s2.store  refused         1  upload  1 request refused (1); see `errors`

                """
        )
        #expect(refused.status == 5)
        // It waits for a person still.
        let again = try await Tool.run("run", "job.json", "--again", in: scratch)
        #expect(again.status == 5)
        #expect(again.output.contains("requests that were refused before wait (1); see `errors`"))

        server.stop()
        let away = try await Tool.run("run", "job.json", "--again", in: scratch)
        #expect(away.output.hasPrefix("job.json: 2 stores: 0 done, 2 not reached\n"))
        #expect(away.status == 4)

        let lines = try scratch.read("job.json").replacing("retries", with: "retrys")
        try scratch.write(lines, to: "job.json")
        let invalid = try await Tool.run("run", "job.json", in: scratch)
        #expect(
            invalid.errors
                == "error: job.json: line 5, retrys: 'retrys' is unknown; did you mean 'retries'?\n"
        )
        #expect(invalid.status == 2)
    }

    @Test func exportsIntoADirectoryOfEachStore() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let steps = #", "steps": ["open", {"do": "export", "directory": "out/{name}"}]"#
        try Self.job(server.root, 2, steps, in: scratch)
        #expect(try await Tool.run("run", "job.json", in: scratch).status == 0)
        #expect(scratch.exists("out/s1/Parts.json"))
        #expect(scratch.exists("out/s2/metadata.xml"))
    }

    @Test func passesTheOutcomeToHooks() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let hooks =
            #", "hooks": {"after": ["sh", "-c", "echo $OFFLINE_ODATA_HOOK $OFFLINE_ODATA_JOB $OFFLINE_ODATA_STORE $OFFLINE_ODATA_STATUS"]}"#
        try Self.job(server.root, 1, hooks, in: scratch)
        let outcome = try await Tool.run("run", "job.json", in: scratch)
        // Answers stay alone on standard output.
        #expect(outcome.errors == "after job.json s1.store done\n")
        #expect(outcome.output == "job.json: 1 store: 1 done\n")
    }

    @Test func goesOnAfterAKillAndDoesEveryStoreOnce() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        // The process of the part that has s13 is killed by a hook of it, once.
        let hooks = """
            , "hooks": {
              "before": ["sh", "-c", "[ {name} != s13 ] || [ -e killed ] || { touch killed; kill -9 $PPID; sleep 1; }"],
              "after": ["sh", "-c", "echo {name} >> done.log"]
            }
            """
        try Self.job(server.root, 32, hooks, in: scratch)
        let statuses = try await Self.runParts(of: 8, in: scratch)
        // Part 4 has s5, s13, s21 and s29: parts are counted from 0, too.
        #expect(statuses == [0, 0, 0, 137, 0, 0, 0, 0])
        let cut = try await Tool.run(["run", "--merge"] + Self.reports, in: scratch)
        #expect(cut.output == "job.json: 32 stores: 29 done, 3 not worked on\n")
        #expect(cut.status == 1)
        let few = try await Tool.run(["run", "--merge"] + Self.reports.suffix(4), in: scratch)
        #expect(
            few.output.hasSuffix(
                "done\nNo report of 4 parts of the job: 1/8, 2/8, 3/8, 4/8\n"
            )
        )
        #expect(few.status == 1)

        #expect(try await Self.runPart(4, of: 8, in: scratch) == 0)
        let whole = try await Tool.run(["run", "--merge"] + Self.reports, in: scratch)
        #expect(whole.output == "job.json: 32 stores: 32 done\n")
        #expect(whole.status == 0)
        let done = try scratch.read("done.log").split(separator: "\n").map(String.init)
        #expect(done.sorted() == (1...32).map { "s\($0)" }.sorted())
        // Each store was loaded once and then downloaded.
        #expect(server.takeAsked().count == 2 * 32)
    }

    private static let reports = (1...8).map { "job.report.\($0)-of-8.json" }

    private static func runPart(
        _ part: Int,
        of count: Int,
        in scratch: Scratch
    ) async throws -> Int32 {
        try await Tool.run(["run", "job.json", "--shard", "\(part)/\(count)"], in: scratch).status
    }

    private static func runParts(of count: Int, in scratch: Scratch) async throws -> [Int32] {
        try await withThrowingTaskGroup { group in
            for part in 1...count {
                group.addTask { (part, try await runPart(part, of: count, in: scratch)) }
            }
            var statuses: [Int: Int32] = [:]
            for try await (part, status) in group { statuses[part] = status }
            return (1...count).compactMap { statuses[$0] }
        }
    }

    @Test func refusesASecondRunOfOnePart() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        // The second run is a hook of the first.
        let hooks =
            #", "hooks": {"before": ["sh", "-c", "'\#(Tool.path)' run job.json; [ $? = 7 ]"]}"#
        try Self.job(server.root, 1, hooks, in: scratch)
        let outcome = try await Tool.run("run", "job.json", in: scratch)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("another run of the job writes the report job.report.json"))
    }

    /// The file is what people read of a job: it has each store once, as `--json` has it.
    @Test func leavesOneOutcomeOfEachStoreInTheReport() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let hooks =
            #", "hooks": {"before": ["sh", "-c", "[ {name} != s1 ] || [ -e again ] || { touch again; exit 1; }"]}"#
        try Self.job(server.root, 2, hooks, in: scratch)
        #expect(try await Tool.run("run", "job.json", in: scratch).status == 1)
        let outcome = try await Tool.run("run", "job.json", "--json", in: scratch)
        #expect(outcome.status == 0)
        #expect(try scratch.read("job.report.json") == outcome.output)
    }

    /// A program that was started by a thread of a task must not block the signals that end it.
    @Test(arguments: [
        #"["perl", "-e", "kill q(TERM), getppid; sleep 600"]"#,
        // It has started another.
        #"["sh", "-c", "sleep 600 & kill -TERM $PPID; wait"]"#,
        // It ends well all the same: its store goes on with the next run.
        #"["perl", "-e", "$SIG{TERM} = sub { exit 0 }; kill q(TERM), getppid; sleep 600"]"#,
    ])
    func endsAHookThatRunsByASignal(_ words: String) async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        try Self.job(server.root, 3, #", "hooks": {"before": \#(words)}"#, in: scratch)
        let cancelled = try await Tool.run("run", "job.json", in: scratch)
        #expect(cancelled.status == 8)
        #expect(cancelled.output == "job.json: 3 stores: 0 done, 3 not worked on\n")
    }

    @Test func saysInJSONThatItWasCancelled() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let hook = #"["perl", "-e", "kill q(TERM), getppid; sleep 600"]"#
        try Self.job(server.root, 1, #", "hooks": {"before": \#(hook)}"#, in: scratch)
        let cancelled = try await Tool.run("run", "job.json", "--json", in: scratch)
        let end = """
            "remaining":1,"error":{"exitStatus":8,"message":"cancelled",\
            "advice":"Nothing done is lost; calling the command again goes on."}}

            """
        #expect(cancelled.output.hasSuffix(end), "\(cancelled.output)")
        let object = try JSONSerialization.jsonObject(with: Data(cancelled.output.utf8))
        #expect((object as? [String: Any])?.keys.contains("outcomes") == true)
    }

    /// The last hook of a store that ends well in spite of a signal has run for a store that is done.
    @Test func keepsTheOutcomeOfAStoreWhoseLastHookEndsWell() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let hook =
            #"["perl", "-e", "$SIG{TERM} = sub { exit 0 }; kill q(TERM), getppid; sleep 600"]"#
        try Self.job(server.root, 2, #", "hooks": {"after": \#(hook)}"#, in: scratch)
        let cancelled = try await Tool.run("run", "job.json", in: scratch)
        #expect(cancelled.status == 8)
        #expect(cancelled.output == "job.json: 2 stores: 1 done, 1 not worked on\n")
    }

    @Test func cancelsByASignalAndGoesOn() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        let hooks =
            #", "hooks": {"before": ["sh", "-c", "[ {name} != s2 ] || [ -e sent ] || { touch sent; kill -TERM $PPID; exec sleep 600; }"]}"#
        try Self.job(server.root, 3, hooks, in: scratch)
        let cancelled = try await Tool.run("run", "job.json", in: scratch)
        #expect(cancelled.status == 8)
        let rest = try await Tool.run("run", "job.json", "--dry-run", in: scratch)
        #expect(rest.output.hasPrefix("job.json: 2 stores due\n"))
        #expect(try await Tool.run("run", "job.json", in: scratch).status == 0)
    }

    @Test(arguments: [
        (["job.json", "--shard", "9/8"], "error: --shard takes I/N, such as 3/8, not '9/8'\n"),
        (["a.json", "b.json"], "error: unexpected 'b.json'\n`run` takes one job.\n"),
        (["--merge", "a.json", "--again"], "error: --merge goes with reports and --json only\n"),
        (
            ["nowhere/job.json"],
            "error: cannot read nowhere/job.json: see that the file exists and can be read\n"
        ),
        (["."], "error: cannot read .: it is a directory\n"),
        (["--merge", "."], "error: cannot read .: it is a directory\n"),
        ([], "error: missing argument: JOB.json\n"),
        (["--merge"], "error: missing argument: REPORT\n"),
    ])
    func refusesWrongArgumentsOfRun(_ words: [String], _ message: String) async throws {
        let outcome = try await Tool.run(["run"] + words, in: try Scratch())
        #expect(outcome.errors == message)
        #expect(outcome.status == 2)
    }

    /// What holds nothing is made again by the next run; a store that was there stays, empty or not.
    @Test func leavesNoEmptyStoreOfAServiceOutOfReach() async throws {
        let scratch = try Scratch()
        try Self.job("http://127.0.0.1:1/", 2, in: scratch)
        let made = try await Tool.run(
            ["open", "s2.store", "--service", "http://127.0.0.1:1/", "--query", "P=Parts"],
            in: scratch
        )
        #expect(made.status == 4, "\(made.errors)")
        #expect(!scratch.exists("s2.store"))
        let outcome = try await Tool.run("run", "job.json", in: scratch)
        #expect(outcome.status == 4)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("."))
        #expect(!files.contains { $0.contains(".store") }, "\(files)")
    }

    @Test func keepsAStoreThatWasThere() async throws {
        let server = try PartsServer()
        let scratch = try Scratch()
        try Self.job(server.root, 1, in: scratch)
        #expect(try await Tool.run("run", "job.json", in: scratch).status == 0)
        server.stop()
        #expect(try await Tool.run("run", "job.json", "--again", in: scratch).status == 4)
        let count = try await Tool.run("get", "s1.store", "Parts/$count", in: scratch)
        #expect(count.output == "3\n", "\(count.errors)")
    }
}
