import FieldServiceMetadata
import Foundation
import Testing

@Suite struct MetadataCommandTests {
    private static func files() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(FieldServiceMetadata.v1, to: "v1.xml")
        try scratch.write(FieldServiceMetadata.v2, to: "v2.xml")
        try scratch.write(FieldServiceMetadata.v3, to: "v3.xml")
        try scratch.write(FieldServiceMetadata.v4Incompatible, to: "v4.xml")
        return scratch
    }

    @Test func summarisesForPeople() async throws {
        let outcome = try await Tool.run("metadata", "summary", "v1.xml", in: Self.files())

        let expected = """
            OData 4.0
            container FieldService.Container
            namespace FieldService

                1  schema
               11  entity types
                2  complex types
                4  enumeration types
                8  entity sets
                1  singleton
              104  properties
               22  navigation properties

            """
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    @Test func summarisesAsJSON() async throws {
        let outcome = try await Tool.run(
            "metadata",
            "summary",
            "v1.xml",
            "--json",
            in: Self.files()
        )

        let expected = """
            {
              "version": "4.0",
              "schemas": 1,
              "entityTypes": 11,
              "complexTypes": 2,
              "enumTypes": 4,
              "typeDefinitions": 0,
              "entitySets": 8,
              "singletons": 1,
              "functions": 0,
              "actions": 0,
              "functionImports": 0,
              "actionImports": 0,
              "properties": 104,
              "navigationProperties": 22,
              "diagnostics": []
            }

            """
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    @Test func readsStandardInput() async throws {
        let outcome = try await Tool.run("metadata", "summary", "-", input: Library.metadata)

        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\n  2  entity sets\n"))
    }

    @Test(arguments: [("json", "v1.xml"), ("xml", "v1.json")])
    func saysWhatWasWrittenToWhichFile(_ form: String, _ file: String) async throws {
        let scratch = try Self.files()
        _ = try await Tool.run("metadata", "json", "v1.xml", "--output", "v1.json", in: scratch)
        let line = ["metadata", form, file, "--output", "out", "--json"]
        let outcome = try await Tool.run(line, in: scratch)
        let written = try scratch.read("out")

        #expect(outcome.output == "{\"file\":\"out\",\"bytes\":\(written.utf8.count)}\n")
        #expect(written.hasPrefix(form == "xml" ? "<" : "{"))
    }

    @Test func writesBothFormsOfADocument() async throws {
        let scratch = try Self.files()
        let json = ["metadata", "json", "v1.xml", "--output", "v1.json"]
        #expect(try await Tool.run(json, in: scratch).status == 0)
        let outcome = try await Tool.run("metadata", "xml", "v1.json", in: scratch)
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<edmx:Edmx"))
        try scratch.write(outcome.output, to: "again.xml")
        let compared = try await Tool.run("metadata", "diff", "v1.xml", "again.xml", in: scratch)
        #expect(compared.output == "identical: stores need no upgrade\n")
    }

    @Test(arguments: [
        ("xml", "v1.xml", "error: v1.xml: line 1: The document is XML, where JSON is expected.\n"),
        ("json", "v.json", "error: v.json: line 1: The document is JSON, where XML is expected.\n"),
    ])
    func refusesADocumentThatHasTheForm(_ form: String, _ file: String, _ errors: String)
        async throws
    {
        let scratch = try Self.files()
        try scratch.write(#"{"$Version":"4.0","N":{"C":{"$Kind":"ComplexType"}}}"#, to: "v.json")
        let outcome = try await Tool.run("metadata", form, file, in: scratch)
        #expect(outcome == Tool.Outcome(status: 2, output: "", errors: errors))
    }

    @Test(arguments: [
        ("", "error: bad.xml: line 1, column 1: The document is empty.\n"),
        (
            "hello",
            "error: bad.xml: line 1, column 1: The document begins neither with '<' nor with '{', so it is"
                + " neither XML nor JSON.\n"
        ),
    ])
    func refusesWhatIsNoMetadata(_ text: String, _ errors: String) async throws {
        let scratch = try Scratch()
        try scratch.write(text, to: "bad.xml")

        let outcome = try await Tool.run("metadata", "summary", "bad.xml", in: scratch)

        #expect(outcome == Tool.Outcome(status: 2, output: "", errors: errors))
    }

    @Test(arguments: [
        "<html/>", "<!DOCTYPE edmx:Edmx [<!ENTITY a 'b'>]>" + Library.metadata.dropFirst(21),
        String(Library.metadata.dropLast(40)),
        Library.metadata.replacing("Type=\"Edm.Int32\" Nullable", with: "Type Nullable"),
    ])
    func refusesBrokenDocuments(_ text: String) async throws {
        let scratch = try Scratch()
        try scratch.write(text, to: "bad.xml")

        let outcome = try await Tool.run("metadata", "summary", "bad.xml", "--json", in: scratch)

        #expect(outcome.status == 2)
        #expect(outcome.output.hasPrefix(#"{"error":{"exitStatus":2,"message":"bad.xml: line "#))
        #expect(outcome.errors.hasPrefix("error: bad.xml: line "))
    }

    @Test(
        arguments: [
            ("v1.xml", "v1.xml", 0, "identical: stores need no upgrade"),
            ("v1.xml", "v2.xml", 0, "additive: stores can be upgraded, 13 changes"),
            (
                "v1.xml", "v4.xml", 3,
                "incompatible: stores cannot be upgraded, 16 of 46 changes prevent it"
            ),
        ] as [(String, String, Int32, String)]
    )
    func comparesTwoModels(_ old: String, _ new: String, _ status: Int32, _ verdict: String)
        async throws
    {
        let outcome = try await Tool.run("metadata", "diff", old, new, in: Self.files())

        #expect(outcome.status == status)
        #expect(outcome.output.split(separator: "\n").first.map(String.init) == verdict)
        #expect(outcome.errors == "")
    }

    @Test func comparesAsJSON() async throws {
        let outcome = try await Tool.run(
            "metadata",
            "diff",
            "v2.xml",
            "v2.xml",
            "--json",
            in: Self.files()
        )

        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\"verdict\": \"identical\""))
        #expect(outcome.output.contains("\"changes\": []"))
    }

    /// The same statements as the text has, each an element of its own.
    @Test func printsTheSchemaAsJSON() async throws {
        struct Listing: Decodable { var statements: [String] }
        let scratch = try Library.files()

        let text = try await Tool.run("metadata", "sql", "metadata.xml", in: scratch)
        let outcome = try await Tool.run("metadata", "sql", "metadata.xml", "--json", in: scratch)

        #expect(outcome.status == 0)
        let listing = try JSONDecoder().decode(Listing.self, from: Data(outcome.output.utf8))
        #expect(listing.statements.allSatisfy { $0.hasPrefix("CREATE ") && $0.hasSuffix(";") })
        let lines = text.output.split(separator: "\n").filter { !$0.hasPrefix("--") }
        #expect(listing.statements.flatMap { $0.split(separator: "\n") } == lines)
    }

    @Test func printsTheSchema() async throws {
        let scratch = try Library.files()

        let outcome = try await Tool.run("metadata", "sql", "metadata.xml", in: scratch)

        let expected = """

            -- Entity set Authors of Library.Author
            CREATE TABLE "Authors" (
                "$id" INTEGER PRIMARY KEY,
                "$type" INTEGER NOT NULL DEFAULT 0,
                "$etag" TEXT,
                "$queries" INTEGER NOT NULL DEFAULT 0,
                "$parent" INTEGER,
                "$exact" TEXT,
                "$dynamic" TEXT,
                "$control" TEXT,
                "$state" INTEGER NOT NULL DEFAULT 0,
                "$stamp" INTEGER NOT NULL DEFAULT 0,
                "ID" INTEGER,
                "Name" TEXT
            );
            CREATE UNIQUE INDEX "$key:Authors" ON "Authors" ("ID");

            """
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(expected))
        #expect(outcome.output.contains("CREATE TABLE \"$queue\" ("))
        #expect(outcome.output.contains("CREATE VIEW \"RequestQueue\" AS SELECT "))
        #expect(
            outcome.output.contains(
                "CREATE INDEX \"$ref:Books(AuthorID)\" ON \"Books\" (\"AuthorID\");\n"
            )
        )
    }
}
