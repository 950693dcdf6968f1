import Testing

/// Work on a store that belongs to no service.
@Suite struct LocalStoreTests {
    @Test func takesTheAddressesOfAnswers() async throws {
        let scratch = try await Library.store()
        let read = try await Tool.run(
            "get",
            "library.store",
            "http://localhost/Books(11)/Title/$value",
            in: scratch
        )
        #expect(read.output.hasPrefix("Maps"), "\(read.errors)")
    }

    /// Without --content-type a stream has the media type of the metadata (`Core.MediaType`), any other body is JSON.
    @Test func storesAStreamAsTheMediaTypeOfTheMetadata() async throws {
        let scratch = try Scratch()
        try scratch.write(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <Property Name="Pic" Type="Edm.Stream"><Annotation Term="Org.OData.Core.V1.MediaType" String="image/jpeg"/></Property></EntityType>
            <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """,
            to: "m.xml"
        )
        try scratch.write(#"[{"ID":1}]"#, to: "As.json")
        let made = try await Tool.run(
            "import",
            "s.store",
            "--metadata",
            "m.xml",
            "As.json",
            in: scratch
        )
        #expect(made.status == 0, "\(made.errors)")
        for (url, body) in [("As(1)/Pic", "JJ"), ("As(1)/Name", #"{"value":"x"}"#)] {
            let put = try await Tool.run("put", "s.store", url, body, in: scratch)
            #expect(put.status == 0, "\(put.errors)")
        }
        let full = "Accept: application/json;odata.metadata=full"
        let read = try await Tool.run("get", "s.store", "As(1)", "--header", full, in: scratch)
        #expect(read.output.contains(#""Name":"x""#), "\(read.output)")
        #expect(read.output.contains(#""Pic@odata.mediaContentType":"image/jpeg""#))
    }

    @Test func importsRowsAndAnswers() async throws {
        let scratch = try await Library.store()

        let all = try await Tool.run(
            "get",
            "library.store",
            "Books?$orderby=Title&$select=Title",
            in: scratch
        )
        let count = try await Tool.run("get", "library.store", "~/Books/$count", in: scratch)
        let expanded = try await Tool.run(
            "get",
            "library.store",
            "Books(11)?$select=ID&$expand=Author",
            in: scratch
        )

        #expect(all.status == 0)
        #expect(
            all.output == #"{"@odata.context":"http://localhost/$metadata#Books(Title)","value":["#
                + #"{"ID":11,"Title":"Maps"},{"ID":12,"Title":"Nets"},{"ID":10,"Title":"Notes"}]}"#
                + "\n"
        )
        #expect(count.output == "3\n")
        #expect(expanded.output.contains(#""Author":{"ID":2,"Name":"Bo"}"#))
    }

    @Test(arguments: [
        (
            "Photos(1)/$value",
            6,
            "error: the stream was not loaded into the store: a defining query that retrieves streams brings it: Photos(1)/$value\n"
        ), ("Photos(1)/Title", 0, "there is nothing here (null)\n"),
    ])
    func saysWhyAnAnswerIsEmpty(_ url: String, _ status: Int32, _ remark: String) async throws {
        let scratch = try Scratch()
        try scratch.write(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
            </EntityType><EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/>
            </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """,
            to: "m.xml"
        )
        try scratch.write(#"[{"ID": 1}]"#, to: "Photos.json")
        let words = ["import", "photo.store", "--metadata", "m.xml", "Photos.json"]
        #expect(try await Tool.run(words, in: scratch).status == 0)

        let outcome = try await Tool.run("get", "photo.store", url, in: scratch)

        #expect(outcome == Tool.Outcome(status: status, output: "", errors: remark))

        try scratch.write("kept", to: "kept.bin")
        let line = ["get", "photo.store", url, "--output", "kept.bin"]
        #expect(try await Tool.run(line, in: scratch).status == status)
        #expect(try scratch.read("kept.bin") == "kept")
    }

    @Test func importsIntoAStoreThatIsThere() async throws {
        let scratch = try await Library.store()
        try scratch.write(
            #"[{"ID": 10, "Title": "Notes, second edition"}, {"ID": 13, "Title": "More"}]"#,
            to: "Books.json"
        )

        let outcome = try await Tool.run("import", "library.store", "Books.json", in: scratch)
        let titles = try await Tool.run("get", "library.store", "Books?$select=Title", in: scratch)

        #expect(
            outcome.untimed
                == Tool.Outcome(
                    status: 0,
                    output: "imported: 2 entities from 1 file, 0 s\n",
                    errors: ""
                )
        )
        #expect(titles.output.contains(#"[{"ID":10,"Title":"Notes, second edition"},{"ID":11,"#))
        #expect(titles.output.contains(#"{"ID":13,"Title":"More"}]"#))
    }

    @Test(arguments: [
        ("Bookz.json", "[]", "the metadata has no entity set 'Bookz'; did you mean Books.json?"),
        ("Books.json", #"[{"ID": "ten"}]"#, "Books.json: "), ("Books.json", "[{", "Books.json: "),
    ])
    func refusesAnImportAndLeavesNothing(_ name: String, _ text: String, _ message: String)
        async throws
    {
        let scratch = try Library.files()
        try scratch.write(text, to: name)

        let outcome = try await Tool.run(
            "import",
            "new.store",
            "--metadata",
            "metadata.xml",
            "Authors.json",
            name,
            in: scratch
        )

        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message))
        #expect(!scratch.exists("new.store"))
    }

    @Test(
        arguments: [
            ("Books(99)", 6, "error: there is no such entity: Books(99)\n"),
            ("Bookz", 6, "error: the service has no Bookz, at offset 0; did you mean Books?\n"),
            ("Books?$top=x", 2, "error: unexpected text, at offset 11; expected a number\n"),
            // Places are those of the text that was typed.
            (
                "Books?$filter=contains(Title,'ä ö') and Foo eq 1", 2,
                "error: Library.Book has no Foo, at offset 42\n"
            ),
            ("~/Books?$filter=Foo eq 1", 2, "error: Library.Book has no Foo, at offset 16\n"),
            (
                "Books?$filter=Title%20eq%20'a'%20and%20Foo", 2,
                "error: Library.Book has no Foo, at offset 39\n"
            ),
            (
                "Books?$filter=Title  eq ~", 2,
                "error: unexpected text, at offset 24; expected an expression\n"
            ),
        ] as [(String, Int32, String)]
    )
    func tellsWhatIsWrongWithARequest(_ url: String, _ status: Int32, _ errors: String) async throws
    {
        let outcome = try await Tool.run("get", "library.store", url, in: Library.store())

        #expect(outcome == Tool.Outcome(status: status, output: "", errors: errors))
    }

    @Test func writesAnAnswerIntoAFile() async throws {
        let scratch = try await Library.store()

        let outcome = try await Tool.run(
            "get",
            "library.store",
            "Books/$count",
            "--output",
            "count",
            in: scratch
        )

        #expect(outcome == Tool.Outcome(status: 0, output: "", errors: ""))
        #expect(try scratch.read("count") == "3\n")
    }

    @Test func queuesChangesAndShowsThem() async throws {
        let scratch = try await Library.store()
        try scratch.write(#"{"ID": 20, "Title": "New", "AuthorID": 1}"#, to: "new.json")

        let created = try await Tool.run(
            "post",
            "library.store",
            "Books",
            "@new.json",
            "--tag",
            "mine",
            "--category",
            "C",
            in: scratch
        )
        let changed = try await Tool.run(
            "patch",
            "library.store",
            "Books(10)",
            "-",
            input: #"{"Title": "Notices"}"#,
            in: scratch
        )
        let deleted = try await Tool.run("delete", "library.store", "Books(11)", in: scratch)
        let queue = try await Tool.run("queue", "library.store", "--json", in: scratch)
        let table = try await Tool.run("queue", "library.store", in: scratch)

        #expect(created.status == 0)
        #expect(created.output.contains(#""Title":"New""#))
        #expect(changed.status == 0)
        #expect(deleted == Tool.Outcome(status: 0, output: "", errors: ""))
        let expected =
            #"[{"RequestID":1,"Status":"pending","RequestMethod":"POST","RequestURL":"Books","#
            + #""RequestBody":"{\"ID\":20,\"Title\":\"New\",\"AuthorID\":1}","CustomTag":"mine","UploadCategory":"C","#
            + #""TransactionID":null,"DependsOn":[],"AffectedEntity":"Books(20)"},"#
            + #"{"RequestID":2,"Status":"pending","RequestMethod":"PATCH","RequestURL":"Books(10)","#
            + #""RequestBody":"{\"Title\":\"Notices\"}","CustomTag":null,"UploadCategory":null,"#
            + #""TransactionID":null,"DependsOn":[],"AffectedEntity":"Books(10)"},"#
            + #"{"RequestID":3,"Status":"pending","RequestMethod":"DELETE","RequestURL":"Books(11)","#
            + #""RequestBody":null,"CustomTag":null,"UploadCategory":null,"#
            + #""TransactionID":null,"DependsOn":[],"AffectedEntity":"Books(11)"}]"# + "\n"
        #expect(queue.output == expected)
        #expect(
            table.output == """
                id  status   method  URL        waits for  tag   category  body
                 1  pending  POST    Books                 mine  C         {"ID":20,"Title":"New","AuthorID":1}
                 2  pending  PATCH   Books(10)                             {"Title":"Notices"}
                 3  pending  DELETE  Books(11)

                """
        )
    }

    @Test func showsOneRequest() async throws {
        let scratch = try await Library.store()
        _ = try await Tool.run("delete", "library.store", "Books(11)", in: scratch)

        let shown = try await Tool.run("queue", "show", "library.store", "1", in: scratch)
        let swapped = try await Tool.run("queue", "library.store", "show", "1", in: scratch)
        let missing = try await Tool.run("queue", "show", "library.store", "2", in: scratch)

        #expect(
            shown.output
                == "request      1  DELETE Books(11)\nstatus       pending\nentity       Books(11)\n"
        )
        #expect(swapped == shown)
        #expect(
            missing
                == Tool.Outcome(
                    status: 6,
                    output: "",
                    errors:
                        "error: there is no request 2 in the queue\n`queue STORE` and `errors STORE` list the ids.\n"
                )
        )
    }

    @Test func showsTheVersionsOfAnEntity() async throws {
        let scratch = try await Library.store()
        _ = try await Tool.run(
            "patch",
            "library.store",
            "Books(10)",
            #"{"Title": "X"}"#,
            in: scratch
        )

        let outcome = try await Tool.run(
            "conflict",
            "library.store",
            "Books(10)",
            "--json",
            in: scratch
        )

        #expect(
            outcome.output == #"{"base":{"ID":10,"Title":"Notes","AuthorID":1},"#
                + #""local":{"ID":10,"Title":"X","AuthorID":1},"server":null,"changedProperties":["Title"],"streams":[],"deletedAtService":false}"#
                + "\n"
        )
    }

    @Test func tellsItsStatus() async throws {
        let scratch = try await Library.store()
        _ = try await Tool.run("delete", "library.store", "Books(11)", in: scratch)

        let json = try await Tool.run("status", "library.store", "--json", in: scratch)
        let text = try await Tool.run("status", "library.store", in: scratch)

        #expect(
            json.output == #"{"serviceRoot":null,"odataVersion":"4.0","queries":[],"entitySets":["#
                + #"{"name":"Books","rows":2,"pending":1,"inError":0},"#
                + #"{"name":"Authors","rows":2,"pending":0,"inError":0}],"queue":1,"errors":0,"interrupted":null,"events":[]}"#
                + "\n"
        )
        #expect(
            text.output == """
                service      none
                model        OData 4.0
                waiting      1 change
                refused      0 requests

                entity set  entities  waiting  refused
                Books              2        1        -
                Authors            2        -        -

                """
        )
    }

    @Test func exportsWhatImportReads() async throws {
        let scratch = try await Library.store()

        let export = try await Tool.run("export", "library.store", "out", in: scratch)
        let again = try await Tool.run(
            "import",
            "copy.store",
            "--metadata",
            "out/metadata.xml",
            "out/Books.json",
            "out/Authors.json",
            in: scratch
        )
        let titles = try await Tool.run(
            "get",
            "copy.store",
            "Books?$select=Title&$expand=Author",
            in: scratch
        )
        let before = try await Tool.run(
            "get",
            "library.store",
            "Books?$select=Title&$expand=Author",
            in: scratch
        )

        #expect(
            export.untimed
                == Tool.Outcome(
                    status: 0,
                    output: "exported: 2 entity sets to out (5 entities), 0 s\n",
                    errors: ""
                )
        )
        #expect(again.status == 0)
        #expect(titles == before)
    }

    @Test func clearsOnlyWhatTheServiceHas() async throws {
        let scratch = try await Library.store()
        _ = try await Tool.run("delete", "library.store", "Books(11)", in: scratch)

        let refused = try await Tool.run("clear", "library.store", in: scratch)
        let forced = try await Tool.run("clear", "library.store", "--force", in: scratch)

        #expect(refused.status == 1)
        #expect(
            refused.errors == """
                error: library.store holds 1 change that the service does not have
                `upload` them, decide about refused ones (`errors`), or give --force.

                """
        )
        #expect(forced == Tool.Outcome(status: 0, output: "cleared library.store\n", errors: ""))
        for suffix in ["", "-wal", "-shm", "-sync"] {
            #expect(!scratch.exists("library.store" + suffix))
        }
    }

    @Test func findsASoundStoreSound() async throws {
        let outcome = try await Tool.run("check", "library.store", in: Library.store())

        #expect(outcome == Tool.Outcome(status: 0, output: "sound\n", errors: ""))
    }

    @Test func needsAServiceToUpload() async throws {
        let outcome = try await Tool.run("upload", "library.store", in: Library.store())

        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "error: the store belongs to no service: open it with a service root\n"
        )
    }

    @Test func runsTheLinesOfAShell() async throws {
        let scratch = try await Library.store()
        let lines = """
            # remarks and empty lines are passed over

            get Books?$filter=Title eq 'Maps'&$select=ID
            patch Books(11) {"Title": "Old maps"} --tag t
            queue
            get Books(99)
            queue show 1
            nothing
            .quit
            get Books
            """

        let outcome = try await Tool.run("shell", "library.store", input: lines, in: scratch)

        #expect(outcome.status == 2)
        #expect(outcome.output.contains(#""value":[{"ID":11}]}"#))
        #expect(
            outcome.output.contains(
                " 1  pending  PATCH   Books(11)             t    {\"Title\":\"Old maps\"}"
            )
        )
        #expect(outcome.output.hasSuffix("tag          t\nbody         {\"Title\":\"Old maps\"}\n"))
        #expect(
            outcome.errors == """
                error: there is no such entity: Books(99)
                  in line 6
                error: 'nothing' is no command of the shell
                `.help` lists them.
                  in line 8

                """
        )
    }
}
