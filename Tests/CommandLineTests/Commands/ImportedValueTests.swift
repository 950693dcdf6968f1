import Foundation
import Testing

/// What an import makes of files, and what is asked of the store afterwards.
@Suite struct ImportedValueTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="C"><Property Name="A" Type="Edm.String"/><Property Name="L" Type="Collection(Edm.String)"/></ComplexType>
        <EntityType Name="E"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="C" Type="S.C"/><NavigationProperty Name="To" Type="S.E"/><NavigationProperty Name="Friends" Type="Collection(S.E)"/>
        </EntityType><EntityContainer Name="K"><EntitySet Name="As" EntityType="S.E">
        <NavigationPropertyBinding Path="Friends" Target="As"/></EntitySet><EntitySet Name="Bs" EntityType="S.E"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func imported(_ rows: String) async throws -> (Scratch, Tool.Outcome) {
        let scratch = try Scratch()
        try scratch.write(metadata, to: "m.xml")
        try scratch.write(rows, to: "As.json")
        try scratch.write(#"[{"ID":1}]"#, to: "Bs.json")
        let line = ["import", "a.store", "--metadata", "m.xml", "As.json", "Bs.json"]
        return (scratch, try await Tool.run(line, in: scratch))
    }

    @Test func makesCollectionsInComplexValuesEmpty() async throws {
        let (scratch, outcome) = try await Self.imported(
            #"[{"ID":1,"C":{"A":"x"}},{"ID":2,"C":null},{"ID":3,"C":{"L":["y"]}}]"#
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answer = try await Tool.run("get", "a.store", "As?$select=C", in: scratch).output
        let value = try #require(answer.firstRange(of: #""value":"#)?.upperBound)
        #expect(
            answer[value...]
                == #"[{"ID":1,"C":{"A":"x","L":[]}},{"ID":2,"C":null},{"ID":3,"C":{"A":null,"L":["y"]}}]}"#
                + "\n"
        )
        #expect(try await Tool.run("export", "a.store", "out", in: scratch).status == 0)
        let again = ["import", "b.store", "--metadata", "out/metadata.xml", "out/As.json"]
        #expect(try await Tool.run(again, in: scratch).status == 0)
    }

    @Test func refusesReferencesThatLeadToNoKnownSet() async throws {
        let (scratch, outcome) = try await Self.imported(#"[{"ID":1,"To@odata.bind":"Bs(1)"}]"#)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("To leads to no known set"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("a.store")))
    }

    @Test func countsTheLinksOfLines() async throws {
        let (scratch, _) = try await Self.imported(
            #"[{"ID":1},{"ID":2,"Friends@odata.bind":["As(1)"]}]"#
        )
        let line = ["export", "a.store", "out", "--format", "ndjson", "--json"]
        let answer = try await Tool.run(line, in: scratch).output
        #expect(answer.contains(#""links":1"#), "\(answer)")
    }

    @Test func namesTheEntityOfADeletion() async throws {
        let (scratch, _) = try await Self.imported(#"[{"ID":1}]"#)
        #expect(try await Tool.run("delete", "a.store", "As(1)", in: scratch).status == 0)
        let queue = try await Tool.run("queue", "a.store", "--json", in: scratch).output
        #expect(queue.contains(#""AffectedEntity":"As(1)""#), "\(queue)")
        let why = try await Tool.run("why", "a.store", "As(1)", "--json", in: scratch).output
        #expect(why.contains(#""pending":true,"inError":false"#), "\(why)")
    }

    @Test func refusesUnknownFormatsBesideJSON() async throws {
        let (scratch, _) = try await Self.imported(#"[{"ID":1}]"#)
        let line = ["get", "a.store", "As", "--format", "bogus", "--json"]
        #expect(try await Tool.run(line, in: scratch).status == 2)
    }
}
