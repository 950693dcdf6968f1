import Foundation
import Testing

/// Properties that are named as columns of the store are properties like others.
@Suite struct ColumnNameTests {
    @Test(arguments: ["$id", "$type", "$state", "$queue", "rowid", "order", "Größe"])
    func keepsTheValueOfAProperty(_ name: String) async throws {
        let scratch = try Scratch()
        try scratch.write(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="\(name)" Type="Edm.String"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """,
            to: "m.xml"
        )
        try scratch.write(#"[{"ID":1,"\#(name)":"x"},{"ID":2}]"#, to: "Items.json")
        let line = ["import", "t.store", "--metadata", "m.xml", "Items.json"]
        let imported = try await Tool.run(line, in: scratch)
        #expect(imported.status == 0, "\(imported.errors)")

        let read = try await Tool.run("get", "t.store", "Items?$orderby=ID", in: scratch)
        let check = try await Tool.run("check", "t.store", in: scratch)

        #expect(read.output.contains(#"[{"ID":1,"\#(name)":"x"},{"ID":2,"\#(name)":null}]"#))
        #expect(check.status == 0, "\(check.errors)")
    }
}
