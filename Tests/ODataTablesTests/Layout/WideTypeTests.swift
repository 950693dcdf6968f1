@testable import ODataSQL
import ODataModel
import TestSupport
import Testing

@testable import ODataTables

/// Types with more properties than a table takes columns, and names that meet in SQLite.
@Suite struct WideTypeTests {
    private static func document(count: Int, first: String = "") -> [UInt8] {
        let properties = (1...count).map {
            "<Property Name=\"P\($0)\" Type=\"Edm.\($0 % 2 == 0 ? "String" : "Decimal")\"/>"
        }
        return SmallDocument.items(first + properties.joined(), id: "Type=\"Edm.Int32\"")
    }

    private func table(_ document: [UInt8]) throws -> (SmallTables, TableLayout) {
        let tables = try SmallTables(document)
        return (tables, try tables.table("Items"))
    }

    @Test func keepsPropertiesBeyondTheLimit() throws {
        let (tables, table) = try table(Self.document(count: 2_300))
        let text =
            "{\"ID\":1,"
            + (1...2_300).map { "\"P\($0)\":\($0 % 2 == 0 ? "\"v\($0)\"" : "\($0).50")" }.joined(
                separator: ","
            ) + "}"

        try tables.insert(text, into: table)

        #expect(table.columns.count == TableBuilder.maximumColumnCount)
        #expect(table.hasOverflow)
        #expect(try JSONValue(text).difference(to: tables.entities("Items")[0]) == nil)
    }

    @Test func filtersOrdersAndSelectsPropertiesBeyondTheLimit() throws {
        let (tables, table) = try table(Self.document(count: 1_200))
        try tables.insert(#"{"ID":1,"P1200":"a","P1199":1.5}"#, into: table)
        try tables.insert(#"{"ID":2,"P1200":"b","P1199":10.5}"#, into: table)

        #expect(try tables.ids("Items?$filter=P1200 eq 'b'") == ["2"])
        #expect(try tables.ids("Items?$filter=P1199 gt 9") == ["2"])
        #expect(try tables.ids("Items?$orderby=P1199 desc") == ["2", "1"])
        let selected = try tables.entities("Items?$select=ID,P1200&$filter=ID eq 1")
        #expect(try JSONValue(#"{"ID":1,"P1200":"a"}"#).difference(to: selected[0]) == nil)
    }

    @Test func changesPropertiesBeyondTheLimitToNull() throws {
        let (tables, table) = try table(Self.document(count: 1_200))
        try tables.insert(#"{"ID":1,"P1200":"a","P1198":"b"}"#, into: table)

        try tables.update(1, #"{"P1200":null}"#, in: table)

        let found = try tables.entities("Items?$select=ID,P1200,P1198")
        #expect(
            try JSONValue(#"{"ID":1,"P1200":null,"P1198":"b"}"#).difference(to: found[0]) == nil
        )
    }

    /// A model that grows must not move a property from its column, nor one without column into one.
    @Test func keepsPlacesWhenTheModelGrows() throws {
        let before = try table(Self.document(count: 1_200)).1
        var names = LayoutNames()
        names.restore(before)
        let model = try CSDLDocument(
            reading: Self.document(
                count: 1_200,
                first: "<Property Name=\"New\" Type=\"Edm.String\"/>"
            )
        ).model

        let after = try #require(Layout(model, names: names)[before.source])

        #expect(after.columns.map(\.name) == before.columns.map(\.name))
    }

    @Test func keepsNamesApartThatDifferByCase() throws {
        let tables = try SmallTables(
            SmallDocument.text(
                """
                <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Id" Type="Edm.String"/>
                <Property Name="iD" Type="Edm.String"/>
                <NavigationProperty Name="Others" Type="Collection(T.Item)"/>
                <NavigationProperty Name="others" Type="Collection(T.Item)"/></EntityType>
                """,
                sets: [
                    (
                        "Items", "T.Item",
                        "<NavigationPropertyBinding Path=\"Others\" Target=\"items\"/>"
                            + "<NavigationPropertyBinding Path=\"others\" Target=\"Items\"/>"
                    ), ("items", "T.Item", ""),
                    ("sqlite_Items", "T.Item", ""),
                ]
            )
        )
        for name in ["Items", "items", "sqlite_Items"] {
            let table = try tables.table(name)
            try tables.insert("{\"ID\":1,\"Id\":\"a\",\"iD\":\"\(name)\"}", into: table)
        }

        for name in ["Items", "items", "sqlite_Items"] {
            let found = try tables.entities(name)
            #expect(
                try JSONValue("{\"ID\":1,\"Id\":\"a\",\"iD\":\"\(name)\"}").difference(to: found[0])
                    == nil
            )
        }
        let links = tables.schema.layout.linkTables
        #expect(links.count == 2)
        for name in links {
            try TableCatalog(tables.connection, layout: tables.schema.layout).ensureLinkTable(name)
        }
        #expect(
            try TableCatalog(tables.connection, layout: tables.schema.layout).linkTables().sorted()
                == links
        )
    }

    @Test func keepsPropertiesOfOneNameAndSeveralTypesApart() throws {
        let (tables, table) = try table(
            SmallDocument.items(
                "",
                types: """
                    <EntityType Name="A" BaseType="T.Item"><Property Name="X" Type="Edm.Int64"/></EntityType>
                    <EntityType Name="B" BaseType="T.Item"><Property Name="X" Type="Edm.String"/></EntityType>
                    <EntityType Name="C" BaseType="T.Item"><Property Name="X" Type="Collection(Edm.String)"/></EntityType>
                    """
            )
        )
        let texts = [
            ##"{"@odata.type":"#T.A","ID":1,"X":9223372036854775807}"##,
            ##"{"@odata.type":"#T.B","ID":2,"X":"9223372036854775807"}"##,
            ##"{"@odata.type":"#T.C","ID":3,"X":["a"]}"##,
        ]
        for text in texts { try tables.insert(text, into: table) }

        let expected = try texts.map { try JSONValue($0) }
        #expect(
            JSONValue.array(expected).difference(to: .array(try tables.entities("Items"))) == nil
        )
        #expect(try tables.ids("Items/T.A?$filter=X eq 9223372036854775807") == ["1"])
        #expect(try tables.ids("Items/T.B?$filter=X eq '9223372036854775807'") == ["2"])
    }

    @Test func tellsNullFromAnObjectWithoutValues() throws {
        let (tables, table) = try table(
            SmallDocument.items(
                "<Property Name=\"A\" Type=\"T.L\" Nullable=\"false\"/><Property Name=\"E\" Type=\"T.Empty\"/>",
                types: """
                    <ComplexType Name="L"><Property Name="X" Type="Edm.Int32"/><Property Name="E" Type="T.Empty"/></ComplexType>
                    <ComplexType Name="Empty"/>
                    """
            )
        )
        let texts = [
            #"{"ID":1,"A":{"X":null,"E":{}},"E":{}}"#, #"{"ID":2,"A":{"X":1,"E":null},"E":null}"#,
            #"{"ID":3,"A":null,"E":{}}"#,
        ]
        for text in texts { try tables.insert(text, into: table) }

        let expected = try texts.map { try JSONValue($0) }
        #expect(
            JSONValue.array(expected).difference(to: .array(try tables.entities("Items"))) == nil
        )
    }
}
