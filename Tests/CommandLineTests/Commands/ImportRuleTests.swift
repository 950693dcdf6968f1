import Foundation
import Testing

/// `import` checks data against the model as local changes are checked.
@Suite struct ImportRuleTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String" Nullable="false" DefaultValue="Bern"/></ComplexType>
        <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="4"/>
        <Property Name="Kind" Type="Edm.String" Nullable="false" DefaultValue="plain"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="4" Scale="2"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Place" Type="T.Place" Nullable="false"/>
        <Property Name="OtherID" Type="Edm.Int32"/><Property Name="Color" Type="T.Color"/>
        <Property Name="Colors" Type="Collection(T.Color)"/>
        <Property Name="Made" Type="Edm.DateTimeOffset" Nullable="false"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
        <Property Name="Size" Type="Edm.Double" Nullable="false"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
        <NavigationProperty Name="Parent" Type="T.Item"/><NavigationProperty Name="Best" Type="T.Special"/>
        <NavigationProperty Name="Shape" Type="T.Shape" ContainsTarget="true"/>
        <NavigationProperty Name="Other" Type="T.Other"><ReferentialConstraint Property="OtherID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Lines" Type="Collection(T.Line)" Partner="Item"/></EntityType>
        <EntityType Name="Special" BaseType="T.Item"/>
        <EntityType Name="Shape" Abstract="true"/>
        <EntityType Name="Circle" BaseType="T.Shape"><Property Name="Radius" Type="Edm.Int32"/></EntityType>
        <EntityType Name="Other"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="ItemID" Type="Edm.Int32"/><NavigationProperty Name="Item" Type="T.Item" Partner="Lines">
        <ReferentialConstraint Property="ItemID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item">
        <NavigationPropertyBinding Path="Parent" Target="Items"/><NavigationPropertyBinding Path="Best" Target="Items"/><NavigationPropertyBinding Path="Other" Target="Others"/>
        <NavigationPropertyBinding Path="Lines" Target="Lines"/></EntitySet>
        <EntitySet Name="Others" EntityType="T.Other"/><EntitySet Name="Lines" EntityType="T.Line">
        <NavigationPropertyBinding Path="Item" Target="Items"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func imported(_ items: String) async throws -> (Tool.Outcome, Scratch) {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(items, to: "Items.json")
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json"]
        return (try await Tool.run(line, in: scratch), scratch)
    }

    @Test(arguments: [
        (
            #"[{"ID":1,"Name":"a"},{"ID":2,"@removed":{"reason":"deleted"}}]"#,
            "expected an entity, found one that is removed, which stands only among changes in value[1]"
        ),
        (#"[{"ID":1}]"#, "Name is missing in value[0] (line 1, column 2, byte 1)"),
        (
            "[{\"ID\":1,\"Name\":\"a\"},\n {\"ID\":2,\"Name\":null}]",
            "Name cannot be null in value[1]/Name (line 2, column 17, byte 38)"
        ),
        (
            #"{"value":[{"ID":1,"Name":"longer"}]}"#,
            "Name is longer than 4 in value[0]/Name (line 1, column 26, byte 25)"
        ),
        (
            #"[{"ID":1,"Name":"a","Color":"Green"}]"#,
            "the value is no member of T.Color in value[0]/Color (line 1, column 29, byte 28)"
        ),
        (
            #"[{"ID":1,"Name":"a","Color":3}]"#,
            "Color has the value 3, which is no member of T.Color in value[0]/Color"
        ),
        (
            #"[{"ID":1,"Name":"a","Colors":["Red","Green"]}]"#,
            "Colors[1] is no T.Color or out of its range in value[0]/Colors[1] (line 1, column 37, byte 36)"
        ),
        (#"[{"ID":1,"Name":"a","Price":100}]"#, "Price has more than 2 digits before the point"),
        (#"[{"ID":1,"Name":"a","Price":1.001}]"#, "Price has more than 2 digits behind the point"),
        (
            #"[{"ID":1,"Name":"a","Tags":null}]"#,
            "Tags cannot be null: a collection is empty at least"
        ),
        (#"[{"ID":1,"Name":"a","Tags":[null]}]"#, "Tags[0] cannot be null"),
        (#"[{"ID":1,"Name":"a","Tags":"x"}]"#, "Tags must be a collection"),
        (#"[{"ID":1,"Name":"a","Kind":null}]"#, "Kind cannot be null"),
        (#"[{"ID":1,"Name":"a","Place":null}]"#, "Place cannot be null"),
        (
            #"[{"ID":1,"Name":"a"},{"ID":1,"Name":"b"}]"#,
            "the key is that of an entity before in value[1]"
        ),
        (
            #"[{"ID":1,"Name":"a","Parent":{"ID":2}}]"#,
            "Name is missing in value[0]/Parent (line 1, column 30, byte 29)"
        ),
        (
            #"[{"ID":1,"Name":"a","Nope":1}]"#,
            "T.Item has no property 'Nope' in value[0]/Nope (line 1, column 21, byte 20)"
        ),
        (
            "[{\"ID\":1,\"Name\":\"a\"},\n {\"ID\":2,\"Namee\":\"b\"}]",
            "T.Item has no property 'Namee'; did you mean 'Name'? in value[1]/Namee (line 2, column 10,"
        ),
        (
            #"[{"ID":1,"Name":"a","Parent@odata.bind":"Others(1)"}]"#,
            "Parent leads to entities of T.Item, not of T.Other in value[0]/Parent@odata.bind"
        ),
        (
            #"[{"ID":1,"Name":"a","Lines":[{"ID":9,"ItemID":2}]}]"#,
            "Lines[0]/ItemID leads to another entity than the one around it: make it the same as ID, or leave it out"
                + " in value[0]/Lines[0]/ItemID"
        ),
        (
            #"[{"ID":1,"Name":"a","Lines":[{"ID":9},{"ID":9}]}]"#,
            "the key is that of an entity before in value[0]/Lines[1]"
        ),
        (
            #"[{"ID":1,"Name":"a","Shape":{}}]"#,
            "T.Shape is abstract: name a derived type in value[0]/Shape"
        ),
        (
            #"[{"ID":1,"Name":"a","Paren@odata.bind":"Items(1)"}]"#,
            "T.Item has no property 'Paren'; did you mean 'Parent'? in value[0]"
        ),
        (
            #"[{"ID":1,"Name":"a","Best@odata.bind":"Others(1)"}]"#,
            "Best leads to entities of T.Special, not of T.Other in value[0]/Best@odata.bind"
        ),
        (
            #"[{"ID":1,"Name":"a","OtherID":3,"Other":{"ID":9}}]"#,
            "OtherID leads to another entity than the one in Other"
        ),
        (
            #"{"@odata.context":"http://x/$metadata#Others","value":[{"ID":1,"Name":"a"}]}"#,
            "the context names the entity set Others, not Items"
        ),
        (
            #"[{"ID":"x","Name":"a"}]"#,
            "expected Int32, found a string in value[0]/ID (line 1, column 8, byte 7)"
        ),
        (#"[{"Name":"a"}]"#, "expected an entity with its key (ID)"),
    ])
    func refusesWhatBreaksTheModel(_ items: String, _ message: String) async throws {
        let (outcome, scratch) = try await imported(items)
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("error: Items.json: \(message)"), "\(outcome.errors)")
        #expect(!scratch.exists("t.store"))
    }

    /// Values deep inside of an entity of many lines.
    @Test(arguments: [
        (
            #"""
            [{"ID":1,"Name":"a"},
             {"ID":2,"Name":"b",
              "Tags":["x",
                      null]}]
            """#, "Tags[1] cannot be null in value[1]/Tags[1] (line 4, column 11,"
        ),
        (
            #"""
            {"value":[{"ID":1,"Name":"a",
              "Place":{
                "City":null}}]}
            """#, "Place/City cannot be null in value[0]/Place/City (line 3, column 12,"
        ),
        (
            #"""
            [{"ID":1,"Name":"a",
              "Parent":{"ID":2,
                "Name":"longer"}}]
            """#, "Name is longer than 4 in value[0]/Parent/Name (line 3, column 12,"
        ),
    ])
    func namesLineAndPropertyOfTheValue(_ items: String, _ message: String) async throws {
        let (outcome, _) = try await imported(items)
        #expect(outcome.errors.hasPrefix("error: Items.json: \(message)"), "\(outcome.errors)")
    }

    // MARK: Values of services

    /// Values that the model does not allow, and downloads take.
    private static let served = [
        #"{"ID":1,"Name":"longer"}"#, #"{"ID":1,"Name":null}"#, #"{"ID":1}"#,
        #"{"ID":1,"Name":"a","Price":100.001}"#, #"{"ID":1,"Name":"a","Kind":null}"#,
        #"{"ID":1,"Name":"a","Tags":[null]}"#, #"{"ID":1,"Name":"a","Place":null}"#,
        #"{"ID":1,"Name":"a","Color":3}"#, #"{"ID":1,"Name":"a","Parent":{"ID":2}}"#,
    ]

    @Test(arguments: served)
    func takesValuesAsServedWhereAsked(_ item: String) async throws {
        let (refused, scratch) = try await imported("[\(item)]")
        #expect(refused.status == 2)
        #expect(refused.errors.hasSuffix("as a service has sent them: --as-served.\n"))
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json", "--as-served"]
        let taken = try await Tool.run(line, in: scratch)
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(try await Tool.run("export", "t.store", "out", in: scratch).status == 0)
        let again = ["import", "u.store", "--metadata", "out/metadata.xml", "out/Items.json"]
        let copied = try await Tool.run(again + ["--as-served"], in: scratch)
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(try await Tool.run("export", "u.store", "copy", in: scratch).status == 0)
        #expect(try scratch.read("out/Items.json") == scratch.read("copy/Items.json"))
    }

    /// What a file does not mention has its default, unless the file is taken for what a service has sent.
    @Test(arguments: [true, false])
    func givesDefaultsToDeclaredValuesAlone(_ isServed: Bool) async throws {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(#"[{"ID":1,"Name":"a"}]"#, to: "Items.json")
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json"]
        let outcome = try await Tool.run(line + (isServed ? ["--as-served"] : []), in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Items(1)", in: scratch)
        #expect(
            read.output.contains(isServed ? #""Kind":null"# : #""Kind":"plain""#),
            "\(read.output)"
        )
    }

    @Test(arguments: [
        #"[{"Name":"a"}]"#, #"[{"ID":null,"Name":"a"}]"#, #"[{"ID":1},{"ID":1}]"#,
        #"[{"ID":1,"Nope":1}]"#, #"[{"ID":1,"Name":2}]"#, #"[{"ID":1,"Name":"a"]"#,
        #"[{"ID":1,"Parent@odata.bind":"Items(2)"}]"#, #"[{"ID":1,"Shape":{}}]"#,
    ])
    func refusesOthersAsServedToo(_ items: String) async throws {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(items, to: "Items.json")
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json", "--as-served"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2)
        #expect(!outcome.errors.contains("--as-served"), "\(outcome.errors)")
        #expect(!scratch.exists("t.store"))
    }

    /// Where the model is silent, null may be among the items (OData CSDL XML 4.01 § 7.2.1).
    @Test func takesNullItemsWhereTheModelIsSilent() async throws {
        let (outcome, scratch) = try await imported(
            #"[{"ID":1,"Name":"a","Colors":["Red",null]}]"#
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Items(1)/Colors", in: scratch)
        #expect(read.output.contains(#""value":["Red",null]"#), "\(read.output)")
    }

    // MARK: References

    /// A set may have entities of derived types, and entities may state ids that are no addresses.
    @Test(arguments: ["Items(2)", "Items(2)/T.Special", "urn:x:2"])
    func takesAReferenceToAnEntityOfTheFile(_ reference: String) async throws {
        let (outcome, scratch) = try await imported(
            #"[{"ID":1,"Name":"a","Best@odata.bind":"\#(reference)"},"#
                + ##"{"@odata.type":"#T.Special","@odata.id":"urn:x:2","ID":2,"Name":"b"}]"##
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Items(1)/Best/ID", in: scratch)
        #expect(read.output.contains(#""value":2}"#), "\(read.output)")
    }

    @Test(arguments: ["[", "{\"value\":["])
    func takesAFileWithAByteOrderMark(_ start: String) async throws {
        let end = start == "[" ? "]" : "]}"
        let item = #"{"ID":1,"Name":"a","Lines":[{"ID":9},{"ID":8,"ItemID":1}]}"#
        let (outcome, scratch) = try await imported("\u{FEFF}" + start + item + end)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Items(1)/Lines/$count", in: scratch)
        #expect(read.output.hasPrefix("2"))
    }

    @Test func givesOmittedPropertiesTheirDefaults() async throws {
        let (outcome, scratch) = try await imported(
            #"[{"ID":1,"Name":"a"},{"ID":2,"Name":"b","Kind":"odd","Tags":["x"]},{"ID":3,"Name":"c"}]"#
        )
        #expect(outcome.status == 0)
        let read = try await Tool.run(
            "get",
            "t.store",
            "Items?$filter=Kind eq 'plain'",
            in: scratch
        )
        for id in [1, 3] {
            #expect(read.output.contains("\"ID\":\(id),"))
        }
        let one = #""Kind":"plain","Price":null,"Tags":[],"Place":{"City":"Bern"},"OtherID":null"#
        #expect(read.output.components(separatedBy: one).count == 3)
    }

    /// Services add members to enumerations: exports of stores and answers of services, which have a context, bring them.
    @Test(arguments: ["@odata.context", "@context"])
    func keepsUnknownMembersOfAFileWithContext(_ context: String) async throws {
        let item = #"{"ID":1,"Name":"a","Color":"Green","Colors":["Red","Green"]}"#
        let (outcome, scratch) = try await imported(
            #"{"\#(context)":"http://x/$metadata#Items","value":["# + item
                + #",{"ID":2,"Name":"b","Color":3}]}"#
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Items", in: scratch)
        #expect(read.output.contains(#""Color":"Green","Colors":["Red","Green"]"#))
        #expect(read.output.contains(#""Color":"3""#))
    }

    @Test func refusesTwoContentsOfOneStream() async throws {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(#"[{"ID":1,"Name":"a"}]"#, to: "Items.json")
        try scratch.makeDirectory("Items.streams")
        for name in ["1", "2"] { try scratch.write(name, to: "Items.streams/" + name) }
        let rows = ["1", "2"].map {
            #"{"url":"Items(1)/Photo","file":"\#($0)","contentType":"text/plain"}"#
        }
        let list = "{\"value\":[\(rows.joined(separator: ","))]}"
        try scratch.write(list, to: "Items.streams/index.json")
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("value[1] is another content of Items(1)/Photo"))
        #expect(!scratch.exists("t.store"))
    }

    /// Without the list nothing says whose the streams are.
    @Test func refusesStreamsWithoutAList() async throws {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(#"[{"ID":1,"Name":"a"}]"#, to: "Items.json")
        try scratch.makeDirectory("Items.streams")
        try scratch.write("x", to: "Items.streams/1")
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("Items.streams has no index.json"), "\(outcome.errors)")
        #expect(!scratch.exists("t.store"))
    }

    /// There is no service behind the store that could compute them.
    @Test func givesComputedPropertiesThatCannotBeNullValues() async throws {
        let (outcome, scratch) = try await imported(#"[{"ID":1,"Name":"a"}]"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Items(1)", in: scratch)
        #expect(
            read.output.contains(#/"Made":"20\d\d-\d\d-\d\dT[0-9:]{8}Z","Size":0[,}]/#),
            "\(read.output)"
        )
    }

    /// An export says which properties the queries have brought; the import knows nothing of the others.
    @Test func takesTheExportOfAStoreThatHoldsSomeProperties() async throws {
        let (tool, root, scratch) = try await Library.service()
        let line = ["open", "s.store", "--service", root, "--query", "B=Books?$select=ID,AuthorID"]
        #expect(try await Tool.run(line, in: scratch).status == 0)
        _ = await tool.end()
        #expect(try await Tool.run("export", "s.store", "out", in: scratch).status == 0)
        let file = try scratch.read("out/Books.json")
        #expect(file.contains("$metadata#Books(ID,AuthorID)\""))
        let again = try await Tool.run(
            ["import", "t.store", "--metadata", "out/metadata.xml", "out/Books.json"],
            in: scratch
        )
        #expect(again.status == 0, "\(again.errors)")
        let read = try await Tool.run("get", "t.store", "Books(10)", in: scratch)
        #expect(read.output.contains(#""ID":10,"AuthorID":1}"#), "\(read.output)")
    }
}
