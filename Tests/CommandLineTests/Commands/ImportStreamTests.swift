import Foundation
import Testing

/// Streams come with the entities of their file, all of it or nothing.
@Suite struct ImportStreamTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A store with entity 1, and a file with entity 2 and streams.
    private static func scratch(streams: [(url: String, file: String)]) async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(metadata, to: "m.xml")
        try scratch.write(#"[{"ID":1}]"#, to: "Items.json")
        let first = ["import", "t.store", "--metadata", "m.xml", "Items.json"]
        try #require(try await Tool.run(first, in: scratch).status == 0)
        try scratch.write(#"[{"ID":2}]"#, to: "Items.json")
        try scratch.makeDirectory("Items.streams")
        try scratch.write("good", to: "Items.streams/good")
        let rows = streams.map {
            #"{"url":"\#($0.url)","file":"\#($0.file)","contentType":"text/plain"}"#
        }
        let list = "{\"value\":[\(rows.joined(separator: ","))]}"
        try scratch.write(list, to: "Items.streams/index.json")
        return scratch
    }

    @Test(arguments: [
        ("Items(2)/Nothing", "good", "Items.streams/good: Items(2)/Nothing addresses no stream"),
        ("Items(7)/$value", "good", "belongs to an entity that is neither in a file nor in the"),
        ("Items(1)/$value", "folder", "value[1] names the file folder, which is no file"),
        ("Items(1)/$value", "pipe", "value[1] names the file pipe, which is no file"),
        ("Items(1)/$value", "none", "value[1] names the file none, which is not in"),
    ])
    func leavesNothingWhereAStreamFails(_ url: String, _ file: String, _ message: String)
        async throws
    {
        let scratch = try await Self.scratch(streams: [("Items(2)/$value", "good"), (url, file)])
        try scratch.makeDirectory("Items.streams/folder")
        try #require(unsafe mkfifo(scratch.path("Items.streams/pipe"), 0o600) == 0)
        let outcome = try await Tool.run("import", "t.store", "Items.json", in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(try await Tool.run("get", "t.store", "Items/$count", in: scratch).output == "1\n")
        let status = try await Tool.run("status", "t.store", in: scratch)
        #expect(!status.output.contains("interrupted"))
    }

    @Test func takesStreamsOfEntitiesInFileAndStore() async throws {
        let streams = [("Items(2)/$value", "good"), ("Items(1)/$value", "good")]
        let scratch = try await Self.scratch(streams: streams)
        let outcome = try await Tool.run("import", "t.store", "Items.json", "--json", in: scratch)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(#""streams":2"#), "\(outcome.output)")
        for id in 1...2 {
            let stream = try await Tool.run("get", "t.store", "Items(\(id))/$value", in: scratch)
            #expect(stream.output.hasPrefix("good"))
        }
    }

    /// What one file holds may be one entity; a download takes none that is so large.
    @Test func takesAnEntityAsLargeAsItsFile() async throws {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20)
        try scratch.write(
            Array(#"[{"ID":1,"Name":""#.utf8) + text + Array(#""}]"#.utf8),
            to: "Items.json"
        )
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json"]
        #expect(try await Tool.run(line, in: scratch).status == 0)
        let length = "Items?$filter=length(Name) eq \(17 << 20)&$select=ID&$count=true&$top=0"
        let found = try await Tool.run("get", "t.store", length, in: scratch)
        #expect(found.output.contains(#""@odata.count":1"#), "\(found.output)")
    }

    /// What is no file becomes no store, and keeps its mode.
    @Test func leavesAloneWhatIsNoFile() async throws {
        let scratch = try await Self.scratch(streams: [])
        try #require(unsafe mkfifo(scratch.path("pipe"), 0o644) == 0)
        unsafe chmod(scratch.path("pipe"), 0o644)
        let line = ["import", "pipe", "--metadata", "m.xml", "Items.json"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors == "error: cannot open pipe: it is no regular file\n")
        var facts = stat()
        #expect(unsafe stat(scratch.path("pipe"), &facts) == 0 && facts.st_mode & 0o777 == 0o644)
    }

    /// The system sends a signal where a file becomes larger than it allows.
    @Test func saysThatAFileMayNotGrow() async throws {
        let scratch = try await Self.scratch(streams: [])
        let rows = (1...20_000).map { "{\"ID\":\($0),\"Name\":\"a name of some length\"}" }
        try scratch.write("[" + rows.joined(separator: ",") + "]", to: "Items.json")
        let line = "ulimit -f 100; exec \(Tool.path) import u.store --metadata m.xml Items.json"
        let outcome = try await Tool.runShell(line, in: scratch)
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("error: "), "\(outcome.errors)")
        let again = ["import", "u.store", "--metadata", "m.xml", "Items.json"]
        #expect(try await Tool.run(again, in: scratch).status == 0)
    }

    /// Another process exports into the same directory: what it has there stays.
    @Test func exportsIntoADirectoryOneAtATime() async throws {
        let scratch = try await Self.scratch(streams: [])
        #expect(try await Tool.run("export", "t.store", "out", in: scratch).status == 0)
        // No process that another test starts meanwhile may keep it.
        let lock = unsafe open(scratch.path("out"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let second = try await Tool.run("export", "t.store", "out", in: scratch)
        #expect(second.status == 7)
        #expect(second.errors.hasPrefix("error: another process writes into out\n"))
        #expect(scratch.exists("out/Items.json"))
        close(lock)
        #expect(try await Tool.run("export", "t.store", "out", in: scratch).status == 0)
    }

    /// A store whose end is cut off is damaged, and no other kind of file.
    @Test func checksAStoreThatIsCutOff() async throws {
        let scratch = try await Self.scratch(streams: [])
        let bytes = try Data(contentsOf: scratch.url("t.store"))
        try scratch.write(Array(bytes.prefix(100)), to: "t.store")
        let outcome = try await Tool.run("check", "t.store", in: scratch)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("is damaged"), "\(outcome.errors)")
    }

    /// What nobody reads is not gone on with: the lines behind may be changes.
    @Test func endsAShellWithoutAReader() async throws {
        let scratch = try await Self.scratch(streams: [])
        try scratch.write("get Items\npatch Items(1) {\"Name\":\"a\"}\n", to: "steps")
        let line = "exec \(Tool.path) shell t.store < steps >&-"
        #expect(try await Tool.runShell(line, in: scratch).status == 1)
        #expect(try await Tool.run("queue", "t.store", "--json", in: scratch).output == "[]\n")
    }
}
