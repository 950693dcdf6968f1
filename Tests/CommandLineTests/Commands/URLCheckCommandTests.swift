import Testing

@Suite struct URLCheckCommandTests {
    @Test func tellsAValidURL() async throws {
        let outcome = try await Tool.run("url", "check", "Books?$filter=ID gt 5")

        #expect(
            outcome
                == Tool.Outcome(
                    status: 0,
                    output: "valid: a URL of OData 4.01 by its grammar\n",
                    errors: ""
                )
        )
    }

    @Test func pointsAtTheFault() async throws {
        let outcome = try await Tool.run("url", "check", "Books?$top=x")

        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("  Books?$top=x\n             ^\ninvalid: "))
        #expect(outcome.errors.contains("at offset 11"))
    }

    @Test(arguments: [
        ("Books?$filter=Price => 5", "at offset 20", "did you mean ge?"),
        ("Books?$fliter=Price gt 5", "at offset 6", "did you mean $filter?"),
    ])
    func namesWhatWasMeant(_ url: String, _ place: String, _ meant: String) async throws {
        let outcome = try await Tool.run("url", "check", url)

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(place))
        #expect(outcome.errors.contains(meant))
    }

    @Test func takesTheServiceRootAsPeopleWriteIt() async throws {
        let outcome = try await Tool.run("url", "check", "~/Books?$filter=ID gt 5")

        #expect(outcome.status == 0)
    }

    @Test func printsTheTree() async throws {
        let outcome = try await Tool.run("url", "check", "Books?$filter=ID gt 5&$top=3", "--json")

        let expected =
            #"{"valid":true,"rule":"odataRelativeUri","version":"4.01","#
            + #""path":[{"offset":0,"text":"Books","name":"Books"}],"#
            + #""options":{"$filter":{"offset":14,"operator":"gt","operands":["#
            + #"{"offset":14,"path":[{"name":"ID"}]},{"offset":20,"literal":"5","form":"integer"}]},"$top":3}}"#
            + "\n"
        #expect(outcome == Tool.Outcome(status: 0, output: expected, errors: ""))
    }

    @Test func printsTheErrorWithItsOffset() async throws {
        let outcome = try await Tool.run(
            "url",
            "check",
            "Bookz",
            "--metadata",
            "metadata.xml",
            "--json",
            in: Library.files()
        )

        let expected =
            #"{"valid":false,"offset":0,"code":"unknownName","message":"the service has no Bookz","#
            + #""found":"Bookz","expected":[],"suggestion":"Books"}"# + "\n"
        #expect(outcome == Tool.Outcome(status: 2, output: expected, errors: ""))
    }

    @Test(arguments: [
        ("Books", "entities of Library.Book"), ("Books(1)", "one Library.Book"),
        ("Books(1)/Author", "one Library.Author"),
        ("Books/$count", "the number of entities of Library.Book"),
        ("Books(1)/Title", "Title of Library.Book"), ("$metadata", "metadata"),
    ])
    func looksNamesUp(_ url: String, _ sentence: String) async throws {
        let outcome = try await Tool.run(
            "url",
            "check",
            url,
            "--metadata",
            "metadata.xml",
            in: Library.files()
        )

        #expect(outcome == Tool.Outcome(status: 0, output: "valid: \(sentence)\n", errors: ""))
    }

    @Test func checksOneRule() async throws {
        let right = try await Tool.run("url", "check", "Price%20gt%205", "--rule", "boolCommonExpr")
        let wrong = try await Tool.run("url", "check", "Price%20gt", "--rule", "boolCommonExpr")
        let unknown = try await Tool.run("url", "check", "1", "--rule", "boolCommonExp")

        #expect(right.output == "valid: a text of the rule boolCommonExpr\n")
        #expect(wrong.status == 2)
        #expect(unknown.status == 2)
        #expect(
            unknown.errors.hasPrefix(
                "error: the grammar has no rule 'boolCommonExp'; did you mean boolCommonExpr?\n"
            )
        )
    }

    @Test func readsTheTextFromStandardInput() async throws {
        let outcome = try await Tool.run("url", "check", "-", input: "Books(1)\n")

        #expect(outcome.status == 0)
    }
}
