import ODataURL
import TestSupport
import Testing

/// Entities named by an alternate key (`Core.AlternateKeys`, OData 4.01 Part 2 § 4.3.4).
@Suite struct AlternateKeyTests {
    private static let document = SmallDocument.text(
        """
        <ComplexType Name="Place"><Property Name="Code" Type="Edm.String"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Mail" Type="Edm.String"/><Property Name="No" Type="Edm.Int32"/>
          <Property Name="Place" Type="T.Place"/>
          <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection>
            <Record><PropertyValue Property="Key"><Collection>
              <Record><PropertyValue Property="Name" PropertyPath="Mail"/><PropertyValue Property="Alias" String="Mail"/></Record>
            </Collection></PropertyValue></Record>
            <Record><PropertyValue Property="Key"><Collection>
              <Record><PropertyValue Property="Name" PropertyPath="No"/><PropertyValue Property="Alias" String="No"/></Record>
              <Record><PropertyValue Property="Name" PropertyPath="Place/Code"/><PropertyValue Property="Alias" String="Where"/></Record>
            </Collection></PropertyValue></Record>
          </Collection></Annotation>
        </EntityType>
        """,
        sets: [("Things", "T.Thing", "")]
    )

    private static func tables() throws -> SmallTables {
        let tables = try SmallTables(document)
        let table = try tables.table("Things")
        for (id, mail, code) in [(1, "a@b", "x"), (2, "o'c@d", "y")] {
            try tables.insert(
                "{\"ID\":\(id),\"Mail\":\"\(mail)\",\"No\":7,\"Place\":{\"Code\":\"\(code)\"}}",
                into: table
            )
        }
        return tables
    }

    @Test(arguments: [
        ("Things(Mail='a@b')", ["1"]), ("Things(Mail='o''c@d')", ["2"]),
        ("Things(Mail=@m)?@m='a@b'", ["1"]), ("Things(No=7,Where='y')", ["2"]),
        ("Things(Where='x',No=7)", ["1"]), ("Things(Mail='nobody')", []), ("Things(2)", ["2"]),
        ("Things(ID=2)", ["2"]),
    ])
    func findsEntities(url: String, expected: [String]) throws {
        #expect(try Self.tables().ids(url) == expected)
    }

    @Test(arguments: [
        "Things(No=7)", "Things(Mail=5)", "Things('a@b')", "Things(Mail='a@b',No=7)",
        "Things(Code='x')",
    ])
    func refusesWhatIsNoKey(url: String) throws {
        let tables = try Self.tables()
        #expect(throws: ODataURLError.self) { try tables.ids(url) }
    }
}
