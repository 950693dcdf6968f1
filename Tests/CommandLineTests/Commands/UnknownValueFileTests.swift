import Testing

/// Files of data in which entities have only some of their values: what is not in them is not known, and nothing else.
@Suite struct UnknownValueFileTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Place"><Property Name="Town" Type="Edm.String"/><Property Name="Zip" Type="Edm.String"/></ComplexType>
        <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Text" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityType Name="Order" OpenType="true"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String" Nullable="false"/><Property Name="Place" Type="M.Place"/>
        <NavigationProperty Name="Lines" Type="Collection(M.Line)" ContainsTarget="true"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="M.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func imported(_ json: String) async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(json, to: "Orders.json")
        let line = ["import", "a.store", "--metadata", "m.xml", "Orders.json"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return scratch
    }

    private static func file(_ list: String, _ entity: String) -> String {
        "{\"@odata.context\":\"$metadata#Orders\(list)\",\"value\":[\(entity)]}"
    }

    /// The second generation is like the first, whatever of the values is not known.
    @Test(arguments: [
        ("(ID)", #"{"ID":1}"#),
        ("(ID,Place/Town)", #"{"ID":1,"Place":{"Town":"x"}}"#),
        ("(ID,Lines(No))", #"{"ID":1,"Lines":[{"No":7}]}"#),
        ("(Lines(No))", #"{"ID":1,"Title":"t","Place":null,"Lines":[{"No":7}]}"#),
        ("", #"{"ID":1,"Title":"t","Place":null,"Lines":[{"No":7,"Text":"l"}]}"#),
    ])
    func staysUnknown(_ list: String, _ entity: String) async throws {
        let scratch = try await imported(Self.file(list, entity))
        let first = try await Tool.run("export", "a.store", "first", in: scratch)
        #expect(first.status == 0, "\(first.errors)")
        let files = ["--metadata", "first/metadata.xml", "first/Orders.json"]
        let again = try await Tool.run(["import", "b.store"] + files, in: scratch)
        #expect(again.status == 0, "\(again.errors)")
        _ = try await Tool.run("export", "b.store", "second", in: scratch)

        let text = try scratch.read("first/Orders.json")
        #expect(text.contains("#Orders\(list)\""), "\(text)")
        #expect(text.contains(entity.dropLast()), "\(text)")
        #expect(try scratch.read("second/Orders.json") == text)
    }

    /// An import replaces an entity, with its dynamic properties.
    @Test func replacesDynamicPropertiesToo() async throws {
        let scratch = try await imported(#"[{"ID":1,"Title":"t","old":"x"}]"#)
        try scratch.write(#"[{"ID":1,"Title":"t","new":"y"}]"#, to: "Orders.json")
        _ = try await Tool.run("import", "a.store", "Orders.json", in: scratch)
        let read = try await Tool.run("get", "a.store", "Orders(1)", in: scratch)

        #expect(read.output.contains(#""new":"y""#))
        #expect(!read.output.contains("old"))
    }
}
