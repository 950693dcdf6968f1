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
        let counts = #"{"sets":2,"entities":5,"links":1,"streams":2}"# + "\n"
        let first = try await imported("a.store", from: "rows", in: scratch)
        #expect(first == Tool.Outcome(status: 0, output: counts, errors: ""))
        let export = try await Tool.run("export", "a.store", "one", "--json", in: scratch)
        #expect(export == Tool.Outcome(status: 0, output: counts, errors: ""))
        let one = try contents("one", in: scratch)
        #expect(
            one["Photos.json"] == #"{"@odata.context":"$metadata#Photos","value":["#
                + #"{"@odata.mediaContentType":"image/png","@odata.mediaEtag":"W/\"1\"","Small@odata.mediaContentType":"image/gif","#
                + #""ID":1,"Like@odata.bind":"Photos(2)","Notes":[{"No":1},{"No":2}]},{"ID":2}]}"#
                + "\n"
        )
        #expect(one["Photos.streams/1"] == "PNG")
        #expect(one["Photos.streams/2"] == "GIF")

        #expect(try await imported("b.store", from: "one", in: scratch).output == counts)
        let words = try await Tool.run("export", "b.store", "two", in: scratch)
        #expect(words.output == "exported: 2 entity sets to two (1 link, 2 streams)\n")
        #expect(try contents("two", in: scratch) == one)
        let read = try await Tool.run("get", "b.store", "Photos(1)/$value", in: scratch)
        #expect(read.output == "PNG")
    }

    @Test func leavesNothingOfAnOlderExport() async throws {
        let scratch = try await store()
        _ = try await imported("a.store", from: "rows", in: scratch)
        _ = try await Tool.run("export", "a.store", "out", in: scratch)
        try scratch.write("mine", to: "out/notes.txt")
        for url in ["Photos(1)/$value", "Photos(1)/Small", "Others(1)"] {
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
}
