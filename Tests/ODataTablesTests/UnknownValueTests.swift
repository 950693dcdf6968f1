import TestSupport
import Testing

/// A value that no query brought neither meets a condition nor its opposite.
@Suite struct UnknownValueTests {
    private static let document = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/></ComplexType>
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="N" Type="Edm.Int32"/><Property Name="T" Type="Edm.String"/><Property Name="D" Type="Edm.Double"/>
        <Property Name="G" Type="Edm.Guid"/><Property Name="P" Type="Edm.Decimal" Scale="variable"/>
        <Property Name="B" Type="Edm.Boolean"/><Property Name="At" Type="Edm.DateTimeOffset"/>
        <Property Name="Tags" Type="Collection(Edm.String)"/><Property Name="Where" Type="N.Place"/>
        <Property Name="UpID" Type="Edm.Int32"/>
        <NavigationProperty Name="Up" Type="N.A" Partner="Down"><ReferentialConstraint Property="UpID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Down" Type="Collection(N.A)" Partner="Up"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"><NavigationPropertyBinding Path="Up" Target="As"/>
        <NavigationPropertyBinding Path="Down" Target="As"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Row 1 has everything, row 2 has nulls, row 3 nothing but its key.
    private static func tables() throws -> SmallTables {
        let tables = try SmallTables(Array(document.utf8))
        let table = try tables.table("As")
        try tables.insert(
            """
            {"ID":1,"N":5,"T":"x","D":1.5,"G":"00000000-0000-0000-0000-000000000001","P":1.25,"B":true,"At":"2020-01-01T00:00:00Z",
            "Tags":["a"],"Where":{"City":"Rome"},"UpID":1}
            """,
            into: table
        )
        try tables.insert(
            """
            {"ID":2,"N":null,"T":null,"D":null,"G":null,"P":null,"B":null,"At":null,"Tags":[],"Where":null,"UpID":null}
            """,
            into: table
        )
        try tables.insert("{\"ID\":3}", into: table)
        return tables
    }

    @Test(arguments: [
        "N gt 0", "N ge 0", "N lt 9", "N le 9", "N eq 5", "N ne 5", "N eq null", "N ne null",
        "N in (1,2)", "N add 1 gt 0",
        "N div 2 lt 9", "N mod 2 eq 0", "-N lt 9", "T gt ''", "T lt 'z'", "T ne 'q'", "T eq null",
        "contains(T,'')",
        "contains(T,'x')", "startswith(T,'')", "endswith(T,'')", "length(T) ge 0",
        "length(T) eq null", "tolower(T) ne 'q'",
        "concat(T,'a') ne 'q'", "T in ('a',null)", "matchesPattern(T,'.*')", "D gt 0", "D lt 9",
        "D ne 0", "D add 1 gt 0",
        "D mul 0 eq 0", "round(D) ge 0", "G gt 00000000-0000-0000-0000-000000000000",
        "G lt ffffffff-0000-0000-0000-000000000000",
        "G ne 00000000-0000-0000-0000-000000000000", "P gt 0", "P lt 9", "P ne 0", "P add 1 gt 0",
        "P mul 2 lt 9", "B", "B eq true",
        "B eq false", "B ne true", "B eq null", "At gt 1900-01-01T00:00:00Z", "year(At) ge 0",
        "year(At) eq null",
        "Tags/any()", "Tags/any(t:t eq 'a')", "Tags/all(t:t eq 'a')", "Tags/$count ge 0",
        "hassubset(Tags,[\"a\"])",
        "Where/City gt ''", "Where/City eq null", "Where eq null", "Where ne null", "Up/N gt 0",
        "Up/N eq null", "Up eq null", "Up ne null",
        "(N gt 3) eq true", "(N gt 3) eq false", "case(N gt 3:1,true:2) gt 0", "N gt D",
        "N eq UpID", "cast(N,Edm.String) ne 'q'",
        "(N gt 3 or T eq 'x') eq false",
    ])
    func isNoMatchForAConditionNorItsOpposite(condition: String) throws {
        let tables = try Self.tables()
        for filter in [condition, "not (\(condition))"] {
            let ids = try tables.ids("As?$filter=" + filter.encoded)
            #expect(!ids.contains("3"), "\(filter): \(ids)")
        }
        let both = "(\(condition)) or not (\(condition)) or (\(condition)) eq null"
        let known = try tables.ids("As?$filter=ID lt 3 and (\(both))".encodedQuery)
        #expect(known == ["1", "2"])
    }

    @Test(arguments: [
        ("N gt 0 or ID eq 3", ["1", "3"]), ("N gt 0 and ID eq 3", []),
        ("not (N gt 0 and ID eq 1)", ["2", "3"]),
        ("Down/any(d:d/N gt 0)", ["1"]), ("not Down/any(d:d/N gt 0)", ["2", "3"]),
        ("Down/all(d:d/N gt 0)", ["1", "2", "3"]),
    ])
    func countsAsUnknownInLogic(filter: String, ids: [String]) throws {
        #expect(try Self.tables().ids("As?$filter=" + filter.encoded) == ids)
    }

    @Test func keepsAnAnyOpenWhereAnItemIsNotKnown() throws {
        let tables = try Self.tables()
        try tables.update(3, "{\"UpID\":2}", in: tables.table("As"))
        #expect(try tables.ids("As?$filter=Down/any(d:d/N gt 0)".encodedQuery) == ["1"])
        #expect(try tables.ids("As?$filter=not Down/any(d:d/N gt 0)".encodedQuery) == ["3"])
        #expect(try tables.ids("As?$filter=not Down/all(d:d/N gt 0)".encodedQuery) == [])
    }

    @Test func isLeftOutOfComputedValues() throws {
        let rows = try Self.tables().entities(
            "As?$compute=N add 1 as M,T eq null as E&$select=ID,M,E".encodedQuery
        )
        #expect(rows.map { $0["M"] != nil } == [true, true, false])
        #expect(rows.map { $0["E"] != nil } == [true, true, false])
    }

    @Test func makesAggregatesUnknown() throws {
        let tables = try Self.tables()
        let url = "As?$apply=aggregate(N with sum as S,P with sum as Q,D with max as M,$count as C)"
        let all = try #require(try tables.entities(url.encodedQuery).first)
        #expect(all["S"] == nil && all["Q"] == nil && all["M"] == nil && all["C"] != nil)
        let some = try #require(
            try tables.entities(
                url.replacingOccurrence(of: "=", with: "=filter(ID lt 3)/").encodedQuery
            ).first
        )
        #expect(some["S"]?.text == "5" && some["Q"]?.text == "1.25")
    }

    @Test(arguments: ["N", "T", "D", "P", "B", "At"])
    func comesLastInOrder(name: String) throws {
        #expect(try Self.tables().ids("As?$orderby=\(name)") == ["2", "1", "3"])
        #expect(try Self.tables().ids("As?$orderby=\(name)%20desc") == ["3", "1", "2"])
    }

    @Test func findsNaNUnlikeEverything() throws {
        let tables = try Self.tables()
        try tables.insert("{\"ID\":4,\"D\":\"NaN\"}", into: tables.table("As"))
        for filter in ["D gt 0", "D lt 0", "D eq D and ID eq 4", "D eq NaN", "D add 1 gt 0"] {
            #expect(!(try tables.ids("As?$filter=" + filter.encoded)).contains("4"), "\(filter)")
        }
        #expect(try tables.ids("As?$filter=D ne NaN and ID ge 4".encodedQuery) == ["4"])
        #expect(try tables.ids("As?$filter=P lt NaN or P eq NaN".encodedQuery) == [])
        #expect(try tables.ids("As?$filter=D ne D".encodedQuery) == ["4"])
    }
}

extension String {
    fileprivate var encoded: String {
        var result = ""
        for byte in utf8 {
            let isPlain = byte.isASCIILetterOrDigit || "-._~/()'".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return result
    }

    fileprivate var encodedQuery: String { split(separator: " ").joined(separator: "%20") }

    fileprivate func replacingOccurrence(of text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
