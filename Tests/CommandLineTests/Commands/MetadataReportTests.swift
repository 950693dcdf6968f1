import Foundation
import FieldServiceMetadata
import ODataModelComparison
import ODataModel
import Testing

/// `metadata diff` in the forms of build servers, `metadata matrix` and `metadata rules`.
@Suite struct MetadataReportTests {
    private static func document(_ properties: String) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties)</EntityType>
        <EntityContainer Name="C"><EntitySet Name="Ts" EntityType="N.T"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    /// Three versions: the second adds a property, the third takes one away.
    private static func files() throws -> Scratch {
        let scratch = try Scratch()
        let name = #"<Property Name="Name" Type="Edm.String"/>"#
        let size = #"<Property Name="Size" Type="Edm.Int32"/>"#
        try scratch.write(document(name), to: "a.xml")
        try scratch.write(document(name + size), to: "b.xml")
        try scratch.write(document(size), to: "c.xml")
        return scratch
    }

    private static func diff(_ options: String...) async throws -> Tool.Outcome {
        try await Tool.run(["metadata", "diff", "b.xml", "c.xml"] + options, in: files())
    }

    @Test func writesJUnit() async throws {
        let outcome = try await Self.diff("--format", "junit")

        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="metadata diff b.xml c.xml" tests="1" failures="1" errors="0" skipped="0">
                <testcase classname="property-removed" name="N.T/Name">
                  <failure type="property-removed" message="property N.T/Name removed"/>
                </testcase>
              </testsuite>
            </testsuites>

            """
        #expect(outcome == Tool.Outcome(status: 3, output: expected, errors: ""))
        let same = try await Tool.run(
            ["metadata", "diff", "a.xml", "a.xml", "--format", "junit"],
            in: Self.files()
        )
        #expect(same.status == 0)
        #expect(same.output.contains(#"<testcase classname="metadata" name="identical"/>"#))
    }

    @Test func writesSARIF() async throws {
        let outcome = try await Self.diff("--format", "sarif")

        let log = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        )
        #expect(outcome.status == 3)
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(
            (driver["rules"] as? [[String: Any]])?.contains {
                $0["id"] as? String == "property-removed"
            } == true
        )
        let result = try #require((run["results"] as? [[String: Any]])?.first)
        #expect(result["ruleId"] as? String == "property-removed")
        #expect(result["level"] as? String == "error")
        let location = try #require((result["locations"] as? [[String: Any]])?.first)
        let logical = try #require((location["logicalLocations"] as? [[String: Any]])?.first)
        #expect(logical["fullyQualifiedName"] as? String == "N.T/Name")
        #expect(result["suppressions"] == nil)
        let physical = try #require(location["physicalLocation"] as? [String: Any])
        #expect((physical["region"] as? [String: Any])?["startLine"] as? Int == 3)
    }

    @Test func writesTheAddressOfAFileAsSuch() async throws {
        let scratch = try Self.files()
        try scratch.write(scratch.read("c.xml"), to: "c 1,<%.xml")
        let outcome = try await Tool.run(
            ["metadata", "diff", "b.xml", "c 1,<%.xml", "--format", "sarif"],
            in: scratch
        )
        #expect(outcome.output.contains(#""uri": "c%201%2C%3C%25.xml""#))
    }

    @Test func writesAnnotationsOfGitHub() async throws {
        let outcome = try await Self.diff("--format", "github")
        #expect(
            outcome.output
                == "::error file=c.xml,line=3,title=property-removed::property N.T/Name removed\n"
        )
        #expect(outcome.status == 3)
    }

    private static let xml = """

        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>

        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EnumType Name="E"><Member Name="A"/>
        <Member Name="B"/></EnumType>
        <EntityContainer Name="C">
        <EntitySet Name="Ts" EntityType="N.T"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let json = """
        {"$Version": "4.01", "$EntityContainer": "N.C", "N": {

          "T": {"$Kind": "EntityType",
            "$Key": ["ID"],

            "ID": {"$Type": "Edm.Int32"}},
          "E": {"$Kind": "EnumType", "A": 0,
            "B": 1},
          "C": {"$Kind": "EntityContainer",
            "Ts": {"$Type": "N.T", "$Collection": true}}
        }}
        """

    /// A part that is gone is missed at the element around it.
    @Test(
        arguments: [
            ("N.T", [4, 3]), ("N.T/ID", [6, 6]), ("N.T/Gone", [4, 3]), ("N.E/B", [8, 8]),
            ("N.C", [9, 9]), ("N.C/Ts", [10, 10]), ("N.C/Ts/Parent", [10, 10]),
            ("N.Gone", [nil, nil]),
            ("", [nil, nil]),
        ] as [(String, [Int?])]
    )
    func findsTheLinesOfElements(_ path: String, _ lines: [Int?]) {
        #expect([Self.xml, Self.json].map { ModelPlaces(Array($0.utf8)).line(of: path) } == lines)
    }

    @Test func takesAgreedBreaksOutOfTheVerdict() async throws {
        let outcome = try await Self.diff("--allow", "N.T/Name", "--allow", "N.Other")
        #expect(
            outcome
                == Tool.Outcome(
                    status: 0,
                    output: """
                        additive: stores can be upgraded, 1 change; not over the 1 that were allowed

                        Allowed, though stores cannot be upgraded over them:
                          - property N.T/Name

                        """,
                    errors: "--allow N.Other: there is no incompatible change\n"
                )
        )
        let junit = try await Self.diff("--format", "junit", "--allow", "N.T")
        #expect(junit.output.contains(#"failures="0" errors="0" skipped="1""#))
        let json = try await Self.diff("--json", "--allow", "N.T")
        #expect(json.output.contains("\"verdict\": \"additive\""))
        #expect(json.output.contains("\"allowed\": true"))
    }

    @Test func comparesWithARunningService() async throws {
        let scratch = try Self.files()
        let (service, root) = try await RunningTool.service(["--metadata", scratch.path("c.xml")])
        let outcome = try await Tool.run(
            ["metadata", "diff", "b.xml", "--service", root, "--format", "github"],
            in: scratch
        )
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(outcome.output.contains("title=property-removed::property N.T/Name removed"))
        _ = await service.end()
        // Its port may be another's by now; nobody listens at the first one.
        let away = try await Tool.run(
            ["metadata", "diff", "b.xml", "--service", "http://127.0.0.1:1/"],
            in: scratch
        )
        #expect(away.status == 4)
        let both = try await Tool.run(
            ["metadata", "diff", "b.xml", "c.xml", "--service", root],
            in: scratch
        )
        #expect(both.status == 2)
        #expect(both.errors.hasPrefix("error: give either NEW or --service URL\n"))
    }

    @Test func showsWhichVersionsCanFollow() async throws {
        let scratch = try Self.files()
        let outcome = try await Tool.run(
            ["metadata", "matrix", "a.xml", "b.xml", "c.xml"],
            in: scratch
        )
        #expect(
            outcome
                == Tool.Outcome(
                    status: 3,
                    output: """
                        from \\ to  a.xml   b.xml     c.xml
                        a.xml      -       additive  no (1)
                        b.xml      no (1)  -         no (1)
                        c.xml      no (1)  additive  -

                        cannot go to c.xml: a.xml, b.xml

                        """,
                    errors: ""
                )
        )
        let json = try await Tool.run(
            ["metadata", "matrix", "a.xml", "b.xml", "--json"],
            in: scratch
        )
        #expect(
            json
                == Tool.Outcome(
                    status: 0,
                    output:
                        #"{"files":["a.xml","b.xml"],"steps":[{"from":"a.xml","to":"b.xml","verdict":"additive","#
                        + #""incompatible":0},{"from":"b.xml","to":"a.xml","verdict":"incompatible","incompatible":1}],"#
                        + #""stranded":[]}"# + "\n",
                    errors: ""
                )
        )
    }

    /// Also the rules of versions 1 to 3 and of operations: of every difference between the documents that are at hand.
    @Test func hasARuleForEveryChange() throws {
        let documents = [
            FieldServiceMetadata.v1, FieldServiceMetadata.v2, FieldServiceMetadata.v3,
            FieldServiceMetadata.v4Incompatible, Array(Library.metadata.utf8),
        ]
        let models = try documents.map { try CSDLDocument(reading: $0) { _ in nil }.model }
        let rules = Set(CompatibilityRule.all.map(\.id))
        for (old, new) in models.flatMap({ old in models.map { (old, $0) } }) {
            for change in ModelComparison(from: old, to: new).changes {
                #expect(rules.contains(change.ruleID), "\(change.ruleID)")
            }
        }
    }

    @Test func listsTheRulesWithTheirReasons() async throws {
        let text = try await Tool.run("metadata", "rules")
        #expect(
            text.output.contains(
                """
                enumMember-changed-incompatible  incompatible
                  a member has another value
                  Stored values are numbers: they would mean another member.

                """
            )
        )
        let json = try await Tool.run("metadata", "rules", "--json")
        let rules = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        )
        let ids = rules.compactMap { $0["id"] as? String }
        #expect(Set(ids).count == ids.count)
        #expect(rules.allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
    }
}
