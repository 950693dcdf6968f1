import Testing

/// A command line that is refused before anything is done.
struct RefusedLine: Sendable, CustomTestStringConvertible {
    var line: [String]
    var errors: String

    init(_ line: String, _ errors: String) {
        self.line = line.split(separator: " ").map(String.init)
        self.errors = errors
    }

    var testDescription: String { line.joined(separator: " ") }
}

@Suite struct UsageTests {
    @Test(arguments: [
        RefusedLine(
            "statsu x",
            "error: there is no command 'statsu'; did you mean `status`?\n`offline-odata --help` lists them.\n"
        ),
        RefusedLine(
            "metadata",
            "error: `metadata` needs another word\nOne of: metadata summary, metadata diff, metadata matrix, metadata rules, metadata sql, metadata json, metadata xml\n"
        ),
        RefusedLine(
            "metadata summry x",
            "error: there is no command 'metadata summry'; did you mean `metadata summary`?\n"
        ),
        RefusedLine(
            "opne",
            "error: there is no command 'opne'; did you mean `open`?\n`offline-odata --help` lists them.\n"
        ),
        RefusedLine(
            "generate java x",
            "error: there is no command 'generate java'\nOne of: generate swift\n"
        ),
        RefusedLine(
            "query",
            "error: missing argument: one of list, add, remove\nUsage: offline-odata query list STORE [--json]\n       offline-odata query add STORE NAME=URL [--json]\n       offline-odata query remove STORE NAME [--json]\n"
        ),
        RefusedLine("download x --timeout 0", "error: --timeout takes more than 0 seconds\n"),
        RefusedLine(
            "get x Parts --odata-version 5",
            "error: --odata-version takes one of 2.0, 3.0, 4.0, 4.01, not '5'\n"
        ),
        RefusedLine(
            "metadata diff a b --format junit --json",
            "error: --json and another --format exclude each other\n"
        ),
        RefusedLine(
            "run nofile.json",
            "error: cannot read nofile.json: see that the file exists and can be read\n"
        ),
        RefusedLine(
            "status --jsn x",
            "error: unknown option --jsn; did you mean --json?\nSee `offline-odata status --help`.\n"
        ),
        RefusedLine(
            "status -j x",
            "error: unknown option -j\nOptions have two dashes; see `offline-odata status --help`.\n"
        ),
        RefusedLine("status x --json=1", "error: --json takes no value\n"),
        RefusedLine(
            "serve x --csrf",
            "error: --csrf is of services with --metadata, not of a store\n"
        ),
        RefusedLine(
            "status",
            "error: missing argument: STORE\nUsage: offline-odata status STORE [--json]\n"
        ),
        RefusedLine(
            "status x y",
            "error: unexpected 'y'\nUsage: offline-odata status STORE [--json]\n"
        ),
        RefusedLine("open x --timeout", "error: --timeout needs a value: --timeout SECONDS\n"),
        RefusedLine("open x --timeout 1 --timeout 2", "error: --timeout is given twice\n"),
        RefusedLine(
            "open x --timeout soon",
            "error: --timeout takes a number of seconds, not 'soon'\n"
        ),
        RefusedLine(
            "open x --progress loud",
            "error: --progress takes one of plain, none, live, not 'loud'\n"
        ),
        RefusedLine(
            "open no.store",
            "error: there is no store at no.store\nA new store needs the service: --service URL --query NAME=URL\n"
        ),
        RefusedLine(
            "open x --service http://h/ --query Books",
            "error: a query is written NAME=URL, not 'Books'\n"
        ),
        RefusedLine(
            "open x --service http://h/ --query B=Books?$top=x",
            "error: the query B is refused: unexpected text, at offset 11; expected a number\n"
        ),
        RefusedLine(
            "open x --service http://h/ --streams B",
            "error: --streams B names no query of this command line; give --query B=URL as well\n"
        ),
        RefusedLine(
            "upload x --batch-size 0",
            "error: --batch-size takes a whole number from 1 to 10000, not '0'\n"
        ),
        RefusedLine("upload x --user ada", "error: --user takes NAME:PASSWORD\n"),
        RefusedLine(
            "upload x --user a:b --bearer c",
            "error: --user and --bearer exclude each other\n"
        ),
        RefusedLine(
            "upload x --header nonsense",
            "error: a header is written 'Name: value', not 'nonsense'\n"
        ),
        RefusedLine(
            "upload x --bearer @no-file",
            "error: cannot read no-file: no such file or directory\n"
        ),
        RefusedLine(
            "queue show x",
            "error: give the id of one request\n`queue STORE` and `errors STORE` list the ids.\n"
        ),
        RefusedLine(
            "queue show x one",
            "error: 'one' is not a request id\n`queue STORE` and `errors STORE` list the ids.\n"
        ),
        RefusedLine(
            "query ad x",
            "error: 'ad' is no action; did you mean add?\nOne of: list, add, remove\n"
        ),
        RefusedLine(
            "serve",
            "error: there is nothing to serve\nGive a STORE, or --metadata FILE.\n"
        ),
        RefusedLine(
            "serve --metadata m --port 65536",
            "error: --port takes a whole number from 0 to 65535, not '65536'\n"
        ),
        RefusedLine("import x", "error: a new store needs --metadata FILE\n"),
        RefusedLine(
            "post x Books {} --remove-after-upload --unmodifiable",
            "error: --remove-after-upload and --unmodifiable exclude each other\n"
        ),
        RefusedLine(
            "metadata diff - -",
            "error: only one of the two documents can come from standard input\n"
        ),
        RefusedLine("clear no.store", "error: there is no store at no.store\n"),
    ])
    func refusesWrongUsageWithAMessage(_ refused: RefusedLine) async throws {
        let outcome = try await Tool.run(refused.line, in: Scratch())

        #expect(outcome.status == 2)
        #expect(outcome.errors == refused.errors)
        #expect(outcome.output.isEmpty != refused.line.contains("--json"))
    }

    @Test(arguments: ["get", "status", "upload", "queue", "check", "serve"])
    func saysThatAStoreIsMissing(_ command: String) async throws {
        let words = [command, "no.store"] + (command == "get" ? ["Books"] : [])
        let outcome = try await Tool.run(words, in: Scratch())

        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(
            outcome.errors
                == "error: there is no store at no.store\n`open STORE --service URL --query NAME=URL` creates one.\n"
        )
    }

    @Test func saysThatAFileIsNoStore() async throws {
        let scratch = try Scratch()
        try scratch.write("this is no database, but long enough to be looked at as one", to: "text")

        let outcome = try await Tool.run("status", "text", in: scratch)

        #expect(outcome.status == 2)
        #expect(outcome.errors == "error: text is no SQLite database, or a damaged one\n")
    }

    @Test func listsAllCommandsWithoutAny() async throws {
        let outcome = try await Tool.run()

        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("offline-odata: OData that keeps working offline\n"))
    }

    @Test func readsAnOperandAfterTwoDashes() async throws {
        let outcome = try await Tool.run("metadata", "summary", "--", "--json", in: Scratch())

        #expect(outcome.errors == "error: cannot read --json: no such file or directory\n")
    }
}
