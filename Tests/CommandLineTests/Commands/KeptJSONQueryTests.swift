import Testing

/// Conditions on values that are kept as JSON, in complex values with derived types and in collections, and on entities as a whole.
@Suite struct KeptJSONQueryTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Y" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Ad"><Property Name="M" Type="Edm.Decimal" Scale="variable"/>
        <Property Name="F" Type="Edm.Double"/><Property Name="O" Type="Edm.DateTimeOffset" Precision="3"/></ComplexType>
        <ComplexType Name="AdX" BaseType="Y.Ad"/>
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Ad" Type="Y.Ad"/><Property Name="Ms" Type="Collection(Edm.Decimal)" Scale="variable"/>
        <Property Name="Ds" Type="Collection(Edm.Double)"/><Property Name="Os" Type="Collection(Edm.DateTimeOffset)" Precision="3"/>
        <NavigationProperty Name="Parent" Type="Y.A" Partner="Kids"/>
        <NavigationProperty Name="Kids" Type="Collection(Y.A)" Partner="Parent"/></EntityType>
        <EntityType Name="A1" BaseType="Y.A"/>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="Y.A">
        <NavigationPropertyBinding Path="Parent" Target="As"/><NavigationPropertyBinding Path="Kids" Target="As"/></EntitySet>
        <Singleton Name="Me" Type="Y.A"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let data = ##"""
        [{"ID":1,"Ad":{"M":123456789012345678901234567890,"F":"INF","O":"1969-03-31T23:59:01.123+05:30"},
          "Ms":[12345678901234567890.123456789],"Ds":["INF","-INF",1.5],"Os":["2020-01-01T23:00:00-08:00"]},
         {"ID":2,"Ad":{"M":2.5,"F":1e300,"O":"2020-01-01T00:00:00Z"},"Ms":[1],"Ds":[],"Os":[],"Parent@odata.bind":"As(1)"},
         {"@odata.type":"#Y.A1","ID":3,"Ms":[],"Ds":[],"Os":[],"Parent@odata.bind":"As(1)"},
         {"ID":4,"Ms":[],"Ds":[],"Os":[],"Parent@odata.bind":"As(3)"}]
        """##

    private func filled() async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(Self.data, to: "As.json")
        let line = ["import", "a.store", "--metadata", "m.xml", "As.json"]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return scratch
    }

    @Test(arguments: [
        ("Ad/M eq 123456789012345678901234567890", "1"),
        ("Ad/M eq 123456789012346000000000000000", ""), ("Ad/M gt 2.4 and Ad/M lt 2.6", "2"),
        ("Ad/F eq INF", "1"), ("Ad/F gt 1e38", "1 2"), ("Ad/F add 1 eq INF", "1"),
        ("Ms/any(m:m eq 12345678901234567890.123456789)", "1"), ("Ms/any(m:m eq 1)", "2"),
        ("Ds/any(v:v eq INF)", "1"), ("Ds/any(v:v lt -1e300)", "1"), ("Ds/any(v:v eq 1.5)", "1"),
        ("hour(Ad/O) eq 23", "1"), ("totaloffsetminutes(Ad/O) eq 330", "1"),
        ("Os/any(o:hour(o) eq 23)", "1"), ("Kids ne null", "1 2 3 4"), ("Kids eq null", ""),
        ("Parent/Kids ne null", "2 3 4"), ("Parent ne null", "2 3 4"),
        ("Parent/Y.A1 ne null", "4"), ("Parent/Y.A1 eq null", "1 2 3"), ("Y.A1 ne null", "3"),
        ("Kids/any(k:k/Y.A1 ne null)", "1"),
    ])
    func finds(_ filter: String, _ ids: String) async throws {
        let scratch = try await filled()
        let url = "As?$filter=\(filter)&$orderby=ID&$select=ID"
        let outcome = try await Tool.run(["get", "a.store", url, "--format", "csv"], in: scratch)
        let found = outcome.output.split(whereSeparator: \.isNewline).dropFirst()

        #expect(found.joined(separator: " ") == ids, "\(outcome.errors)")
    }

    @Test func computesExactValues() async throws {
        let scratch = try await filled()
        let url = "As(1)?$compute=Ad/M as Q"
        let read = try await Tool.run("get", "a.store", url + "&$select=ID,Q", in: scratch)

        #expect(read.output.contains(#""Q":123456789012345678901234567890"#), "\(read.output)")
    }

    /// An update cannot make an entity one of another type.
    @Test func refusesAnotherType() async throws {
        let scratch = try await filled()
        let body = ##"{"@odata.type":"#Y.A1","Ms":[]}"##
        let outcome = try await Tool.run("patch", "a.store", "As(2)", body, in: scratch)

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("is of the type Y.A, and an update cannot make it a Y.A1"))
        #expect(try await Tool.run("patch", "a.store", "As(3)", body, in: scratch).status == 0)
    }

    /// OData 4.01 Part 1 § 11.4.3.
    @Test func ignoresAnotherKeyOfASingleton() async throws {
        let scratch = try await filled()
        try scratch.write(#"{"ID":500,"Ms":[],"Ds":[],"Os":[]}"#, to: "Me.json")
        #expect(try await Tool.run("import", "a.store", "Me.json", in: scratch).status == 0)
        let changed = try await Tool.run("patch", "a.store", "Me", #"{"ID":77}"#, in: scratch)
        let same = #"{"ID":500,"Ds":[2]}"#

        #expect(changed.status == 0)
        let read = try await Tool.run("get", "a.store", "Me/ID/$value", in: scratch)
        #expect(read.output == "500\n")
        #expect(try await Tool.run("patch", "a.store", "Me", same, in: scratch).status == 0)
    }
}
