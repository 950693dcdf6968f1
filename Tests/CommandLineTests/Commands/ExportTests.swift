import Foundation
import Testing

/// `export` and `import` are each other's reverse, on disk.
@Suite struct ExportTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Small" Type="Edm.Stream"/>
        <NavigationProperty Name="Like" Type="T.Photo"/>
        <NavigationProperty Name="Notes" Type="Collection(T.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="T.Photo">
        <NavigationPropertyBinding Path="Like" Target="Photos"/></EntitySet>
        <EntitySet Name="Others" EntityType="T.Note"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A directory with a store of two photos, one of them with streams.
    private func store() async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.makeDirectory("rows/Photos.streams")
        try scratch.write(Self.metadata, to: "rows/metadata.xml")
        try scratch.write(
            #"[{"ID":1,"Like@odata.bind":"Photos(2)","Notes":[{"No":1},{"No":2}]},{"ID":2}]"#,
            to: "rows/Photos.json"
        )
        try scratch.write(#"[{"No":1}]"#, to: "rows/Others.json")
        try scratch.write("PNG", to: "rows/Photos.streams/own")
        try scratch.write("GIF", to: "rows/Photos.streams/small")
        try scratch.write(
            #"""
            {"value":[{"url":"Photos(1)/$value","file":"own","contentType":"image/png","etag":"W/\"1\""},
            {"url":"Photos(1)/Small","file":"small","contentType":"image/gif"}]}
            """#,
            to: "rows/Photos.streams/index.json"
        )
        return scratch
    }

    /// The model is written as CSDL JSON, as it came; a set may have the name of its file.
    @Test func keepsASetBesideTheMetadata() async throws {
        let scratch = try Scratch()
        let model = """
            {"$Version":"4.01","$EntityContainer":"M.C","M":{"T":{"$Kind":"EntityType","$Key":["ID"],"ID":{"$Type":"Edm.Int32"}},
            "C":{"$Kind":"EntityContainer","metadata":{"$Collection":true,"$Type":"M.T"}}}}
            """
        try scratch.write(model, to: "m.json")
        try scratch.write(#"[{"ID":7}]"#, to: "metadata.json")
        for line in [
            ["import", "a.store", "--metadata", "m.json", "metadata.json"],
            ["export", "a.store", "out"],
            [
                "import", "b.store", "--metadata", "out/$metadata.json", "out/$metadata.json",
                "out/metadata.json",
            ],
        ] {
            let outcome = try await Tool.run(line, in: scratch)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try scratch.read("out/$metadata.json") == model)
        #expect(
            try await Tool.run("get", "b.store", "metadata/$count", in: scratch).output == "1\n"
        )
    }

    private func imported(_ name: String, from directory: String, in scratch: Scratch) async throws
        -> Tool.Outcome
    {
        let files = ["Photos", "Others"].map { "\(directory)/\($0).json" }
        return try await Tool.run(
            ["import", name, "--metadata", directory + "/metadata.xml"] + files + ["--json"],
            in: scratch
        )
    }

    /// The files of a directory with their contents.
    private func contents(_ directory: String, in scratch: Scratch) throws -> [String: String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.path(directory))
        var contents: [String: String] = [:]
        for name in names where !name.hasSuffix(".streams") {
            contents[name] = try scratch.read(directory + "/" + name)
        }
        return contents
    }

    @Test func writesWhatImportMakesTheSameStoreOf() async throws {
        let scratch = try await store()
        let counts = #"{"sets":2,"entities":5,"links":1,"streams":2,"seconds":0}"# + "\n"
        let imports = counts.replacing(#""streams":2,"#, with: #""streams":2,"absent":0,"#)
        let first = try await imported("a.store", from: "rows", in: scratch)
        #expect(first.untimed == Tool.Outcome(status: 0, output: imports, errors: ""))
        let export = try await Tool.run("export", "a.store", "one", "--json", in: scratch)
        #expect(export.untimed == Tool.Outcome(status: 0, output: counts, errors: ""))
        let one = try contents("one", in: scratch)
        #expect(
            one["Photos.json"] == #"{"@odata.context":"$metadata#Photos","value":["#
                + #"{"@odata.mediaContentType":"image/png","@odata.mediaEtag":"W/\"1\"","Small@odata.mediaContentType":"image/gif","#
                + #""ID":1,"Like@odata.bind":"Photos(2)","Notes":[{"No":1},{"No":2}]},{"ID":2}]}"#
                + "\n"
        )
        #expect(one["Photos.streams/1"] == "PNG")
        #expect(one["Photos.streams/2"] == "GIF")

        #expect(try await imported("b.store", from: "one", in: scratch).untimed.output == imports)
        let words = try await Tool.run("export", "b.store", "two", in: scratch)
        #expect(
            words.untimed.output
                == "exported: 2 entity sets to two (5 entities, 1 link, 2 streams), 0 s\n"
        )
        #expect(try contents("two", in: scratch) == one)
        let read = try await Tool.run("get", "b.store", "Photos(1)/$value", in: scratch)
        #expect(read.output == "PNG")
    }

    /// With links to entities further behind and in a circle, contained entities and streams.
    @Test func writesWhatAServiceStartsWith() async throws {
        let scratch = try await store()
        try scratch.write(
            #"[{"ID":1,"Like@odata.bind":"Photos(3)"},{"ID":2,"Like@odata.bind":"Photos(1)","Notes":[{"No":1}]},"#
                + #"{"ID":3,"Like@odata.bind":"Photos(2)"},{"ID":4,"Like@odata.bind":"Photos(4)"}]"#,
            to: "rows/Photos.json"
        )
        #expect(try await imported("a.store", from: "rows", in: scratch).status == 0)
        #expect(try await Tool.run("export", "a.store", "one", in: scratch).status == 0)
        let arguments = [
            "--metadata", scratch.path("one/metadata.xml"), "--data", scratch.path("one"),
            "--database", scratch.path("one.db"),
        ]
        let (service, root) = try await RunningTool.service(arguments)
        let opened = try await Tool.run(
            "open",
            "b.store",
            "--service",
            root,
            "--query",
            "P=Photos?$expand=Like,Notes",
            "--query",
            "O=Others",
            "--streams",
            "P",
            in: scratch
        )
        #expect(opened.status == 0, "\(opened.errors)")
        #expect(try await Tool.run("export", "b.store", "two", in: scratch).status == 0)
        let (one, two) = (try contents("one", in: scratch), try contents("two", in: scratch))
        #expect(one.keys.sorted() == two.keys.sorted())
        for name in ["Photos.streams/1", "Photos.streams/2"] { #expect(one[name] == two[name]) }
        for id in 1...4 {
            let url = "Photos(\(id))?$select=ID&$expand=Like($select=ID),Notes"
            let former = try await Tool.run("get", "a.store", url, in: scratch)
            let served = try await Tool.run("get", "b.store", url, in: scratch)
            #expect(former.output.contains("\"Like\":{"))
            #expect(Self.values(former.output) == Self.values(served.output))
        }
        _ = try await Tool.run("delete", "b.store", "Others(1)", in: scratch)
        #expect(try await Tool.run("upload", "b.store", in: scratch).status == 0)
        _ = await service.end()

        // The second time the database has its data.
        let (again, _) = try await RunningTool.service(arguments)
        _ = await again.end()
        let (third, thirdRoot) = try await RunningTool.service(arguments)
        let count = try await Tool.run(
            "open",
            "c.store",
            "--service",
            thirdRoot,
            "--query",
            "O=Others",
            "--json",
            in: scratch
        )
        #expect(count.output.contains(#""entities":0"#))
        withExtendedLifetime(third) {}
    }

    /// What an answer says of the entity itself.
    private static func values(_ json: String) -> Substring {
        json.replacing(/"[^"@]*@[^"]*":("([^"\\]|\\.)*"|[^,}]*),?/, with: "")[...]
    }

    @Test(arguments: [
        (
            #"{"value":[{"url":"Photos(9)/$value","file":"own","contentType":"a/b"}]}"#,
            "Photos.json: the stream Photos(9)/$value: there is no such entity"
        ),
        (
            #"{"value":[{"url":"Photos(1)/ID","file":"own","contentType":"a/b"}]}"#,
            "Photos.json: Photos(1)/ID addresses no stream"
        ),
    ])
    func startsNoServiceWithStreamsOfNothing(_ index: String, _ message: String) async throws {
        let scratch = try await store()
        try scratch.write(index, to: "rows/Photos.streams/index.json")
        let outcome = try await Tool.run(
            "serve",
            "--metadata",
            "rows/metadata.xml",
            "--data",
            "rows",
            in: scratch
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors == "error: \(message)\n")
    }

    @Test func leavesNothingOfAnOlderExport() async throws {
        let scratch = try await store()
        _ = try await imported("a.store", from: "rows", in: scratch)
        _ = try await Tool.run("export", "a.store", "out", in: scratch)
        try scratch.write("mine", to: "out/notes.txt")
        for url in ["Photos(1)/Small", "Photos(1)/$value", "Others(1)"] {
            #expect(try await Tool.run("delete", "a.store", url, in: scratch).status == 0)
        }
        #expect(try await Tool.run("export", "a.store", "out", in: scratch).status == 0)
        let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.path("out"))
        #expect(names.sorted() == ["Photos.json", "metadata.xml", "notes.txt"])
    }

    @Test(arguments: [
        (
            #"{"value":[{"url":"Photos(9)/$value","file":"own","contentType":"a/b"}]}"#,
            "Photos.streams/own: the stream Photos(9)/$value belongs to an entity that is neither in a file nor in the store"
        ),
        (
            #"{"value":[{"url":"Photos(1)/$value","file":"none","contentType":"a/b"}]}"#,
            "Photos.streams/index.json: value[0] names the file none, which is not in rows/Photos.streams"
        ),
        (
            #"{"value":[{"url":"Photos(1)/$value","file":"../Photos.json","contentType":"a/b"}]}"#,
            "Photos.streams/index.json: value[0] needs url, file and contentType, the file a name without a path"
        ),
        (#"[]"#, "Photos.streams/index.json: expected {\"value\":[…]}"),
    ])
    func refusesStreamsThatBelongToNothing(_ index: String, _ message: String) async throws {
        let scratch = try await store()
        try scratch.write(index, to: "rows/Photos.streams/index.json")
        let outcome = try await imported("a.store", from: "rows", in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("error: rows/" + message), "\(outcome.errors)")
        #expect(!scratch.exists("a.store"))
    }

    // MARK: Other formats

    @Test(arguments: [
        ("csv", "ID,Title,AuthorID\r\n10,Notes,1\r\n11,Maps,2\r\n12,Nets,1\r\n"),
        (
            "ndjson",
            """
            {"ID":10,"Title":"Notes","AuthorID":1}
            {"ID":11,"Title":"Maps","AuthorID":2}
            {"ID":12,"Title":"Nets","AuthorID":1}

            """
        ),
    ])
    func writesTables(_ format: String, _ books: String) async throws {
        let scratch = try await Library.store()
        let line = ["export", "library.store", "out", "--format", format, "--json"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(
            outcome.untimed.output
                == #"{"sets":2,"entities":5,"links":0,"streams":0,"seconds":0}"# + "\n",
            "\(outcome.errors)"
        )
        #expect(try scratch.read("out/Books.\(format)") == books)

        // What an export in another format has left is gone.
        let other = ["export", "library.store", "out"]
        #expect(try await Tool.run(other, in: scratch).status == 0)
        #expect(!scratch.exists("out/Books.\(format)"))
        #expect(scratch.exists("out/Books.json"))
    }

    private static let oldMetadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices m:DataServiceVersion="2.0"
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="T" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Row"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="At" Type="Edm.DateTime"/><Property Name="Sent" Type="Edm.DateTimeOffset"/><Property Name="Span" Type="Edm.Time"/></EntityType>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Rows" EntityType="T.Row"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// `/Date(…)/` has milliseconds, a store ticks of 100 ns; texts that say more are kept as they came.
    @Test(arguments: [
        (
            #""At":"/Date(1704067200123)/","Sent":"/Date(1704067200123+0120)/","Span":"PT1H""#,
            #""At":"/Date(1704067200123)/","Sent":"/Date(1704067200123+0120)/","Span":"PT1H""#
        ),
        (
            #""At":"2024-01-01T00:00:00.123","Sent":"2024-01-01T00:00:00.123Z","Span":null"#,
            #""At":"/Date(1704067200123)/","Sent":"/Date(1704067200123+0000)/","Span":null"#
        ),
        (
            #""At":"2024-01-01T00:00:00.1234567","Sent":"2024-01-01T00:00:00.0000001Z","Span":"PT1.0000001S""#,
            #""At":"2024-01-01T00:00:00.1234567","Sent":"2024-01-01T00:00:00.0000001Z","Span":"PT1.0000001S""#
        ),
        (
            #""At":"1960-01-01T00:00:00.0000001","Sent":"2024-01-01T02:00:00.12345678+02:00","Span":null"#,
            #""At":"1960-01-01T00:00:00.0000001","Sent":"2024-01-01T02:00:00.12345678+02:00","Span":null"#
        ),
    ])
    func keepsEachDigitOfOldTimes(_ given: String, _ written: String) async throws {
        let scratch = try Scratch()
        try scratch.write(Self.oldMetadata, to: "m.xml")
        try scratch.write(#"{"d":{"results":[{"ID":1,\#(given)}]}}"#, to: "Rows.json")
        var source = "Rows.json"
        for directory in ["one", "two"] {
            let name = directory + ".store"
            let taken = try await Tool.run(
                ["import", name, "--metadata", "m.xml", source],
                in: scratch
            )
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try await Tool.run("export", name, directory, in: scratch).status == 0)
            source = directory + "/Rows.json"
            let file = try scratch.read(source)
            #expect(file.contains(written), "\(file)")
        }
    }

    /// The former files stay until the new ones are complete.
    @Test func leavesTheFormerExportWhereItFails() async throws {
        let scratch = try await store()
        let many = (1...3_000).map { "{\"ID\":\($0)}" }.joined(separator: ",")
        try scratch.write("[\(many)]", to: "rows/Photos.json")
        #expect(try await imported("a.store", from: "rows", in: scratch).status == 0)
        #expect(try await Tool.run("export", "a.store", "out", in: scratch).status == 0)
        let former = try contents("out", in: scratch)
        let file = try FileHandle(forUpdating: URL(filePath: scratch.path("a.store")))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size / 2)
        try file.write(contentsOf: Data(count: Int(size / 4)))
        try file.close()
        #expect(try await Tool.run("export", "a.store", "out", in: scratch).status == 1)
        #expect(try contents("out", in: scratch) == former)
    }

    @Test func fillsNoStoreOfAService() async throws {
        let (service, root, scratch) = try await Library.service()
        let opened = try await Tool.run(
            ["open", "s.store", "--service", root, "--query", "Books=Books"],
            in: scratch
        )
        try #require(opened.status == 0, "\(opened.errors)")
        try scratch.write(#"[{"ID":99,"Title":"ghost"}]"#, to: "Books.json")
        let outcome = try await Tool.run("import", "s.store", "Books.json", in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("holds data of the service \(root)"), "\(outcome.errors)")
        #expect(try await Tool.run("get", "s.store", "Books(99)", in: scratch).status == 6)
        withExtendedLifetime(service) {}
    }
}
