import Testing

/// `get --format`: entities for spreadsheets, pipelines and people.
@Suite struct GetFormatTests {
    private static func get(_ url: String, _ format: String) async throws -> Tool.Outcome {
        try await Tool.run("get", "library.store", url, "--format", format, in: Library.store())
    }

    @Test func writesCSVByRFC4180() async throws {
        let outcome = try await Self.get("Books?$orderby=ID&$expand=Author", "csv")

        let expected =
            "ID,Title,AuthorID,Author/ID,Author/Name\r\n10,Notes,1,1,Ada\r\n11,Maps,2,2,Bo\r\n12,Nets,1,1,Ada\r\n"
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    @Test func quotesWhatCSVNeedsQuoted() async throws {
        let scratch = try await Library.store()
        let body = #"{"ID":1,"Title":"He said \"no\",\nand left","AuthorID":null}"#
        let posted = try await Tool.run("post", "library.store", "Books", body, in: scratch)
        #expect(posted.status == 0)
        let empty = try await Tool.run(
            "post",
            "library.store",
            "Books",
            #"{"ID":2,"Title":""}"#,
            in: scratch
        )
        #expect(empty.status == 0)
        let outcome = try await Tool.run(
            "get",
            "library.store",
            "Books?$select=Title,AuthorID&$filter=ID lt 10&$orderby=ID",
            "--format",
            "csv",
            in: scratch
        )

        #expect(
            outcome.output
                == "ID,Title,AuthorID\r\n1,\"He said \"\"no\"\",\nand left\",\r\n2,\"\",\r\n"
        )
    }

    @Test func writesOneObjectForEachLine() async throws {
        let outcome = try await Self.get("Authors?$orderby=ID", "ndjson")

        #expect(outcome.output == "{\"ID\":1,\"Name\":\"Ada\"}\n{\"ID\":2,\"Name\":\"Bo\"}\n")
    }

    @Test func alignsATableThatIsWholeInAPipe() async throws {
        let outcome = try await Self.get("Books?$orderby=ID&$top=2&$count=true", "table")

        let expected = """
            ID  Title  AuthorID
            10  Notes         1
            11  Maps          2

            2 of 3

            """
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    @Test func setsOneEntityUpright() async throws {
        let outcome = try await Self.get("Books(11)", "table")

        #expect(
            outcome.output == """
                property  value
                ID        11
                Title     Maps
                AuthorID  2

                """
        )
    }

    @Test func countsRelatedEntitiesInTables() async throws {
        let scratch = try await Library.store()
        let metadata = try scratch.read("metadata.xml").replacing(
            "<Property Name=\"Name\" Type=\"Edm.String\" Nullable=\"false\"/>",
            with: "<Property Name=\"Name\" Type=\"Edm.String\" Nullable=\"false\"/>"
                + "<NavigationProperty Name=\"Books\" Type=\"Collection(Library.Book)\" Partner=\"Author\"/>"
        )
        try scratch.write(metadata, to: "related.xml")
        let files = ["--metadata", "related.xml", "Books.json", "Authors.json"]
        _ = try await Tool.run(["import", "related.store"] + files, in: scratch)
        let outcome = try await Tool.run(
            "get",
            "related.store",
            "Authors?$expand=Books($select=Title;$orderby=ID)&$orderby=ID",
            "--format",
            "table",
            in: scratch
        )

        #expect(
            outcome.output == """
                ID  Name  Books
                 1  Ada   2 entries
                 2  Bo    1 entry

                """,
            "\(outcome.errors)"
        )
    }

    @Test func leavesCountsAndODataJSONAlone() async throws {
        #expect(try await Self.get("Books/$count", "csv").output == "3\n")
        let json = try await Self.get("Authors(1)", "json")
        #expect(json.output.hasPrefix(#"{"@odata.context":"#))
        let wrong = try await Self.get("Authors(1)", "xml")
        #expect(wrong.status == 2)
        #expect(
            wrong.errors == "error: --format takes one of json, table, csv, ndjson, not 'xml'\n"
        )
    }
}
