import Foundation
import Testing

/// Work with a service that runs in another process.
@Suite struct SyncCommandTests {
    private static func opened(
        _ options: String...
    ) async throws -> (service: RunningTool, root: String, scratch: Scratch) {
        let (service, root, scratch) = try await Library.service("--delta")
        let outcome = try await Tool.run(
            [
                "open", "library.store", "--service", root, "--query", "B=Books", "--query",
                "A=Authors",
            ] + options,
            in: scratch
        )
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        return (service, root, scratch)
    }

    @Test func opensAndAnswersWithoutTheService() async throws {
        let (service, root, scratch) = try await Library.service()

        let opened = try await Tool.run(
            "open",
            "library.store",
            "--service",
            root,
            "--query",
            "B=Books?$expand=Author",
            in: scratch
        )
        let ended = await service.end()
        let offline = try await Tool.run(
            "get",
            "library.store",
            "Books?$expand=Author&$filter=Author/Name eq 'Bo'",
            in: scratch
        )
        let again = try await Tool.run("open", "library.store", in: scratch)

        #expect(ended == 8)
        #expect(opened.status == 0)
        #expect(opened.output.hasPrefix("opened: 1 query, 5 entities, "))
        #expect(opened.errors == "")
        #expect(offline.output.contains(#""Title":"Maps""#))
        #expect(again.status == 0)
    }

    @Test func tellsStepsInPlainLines() async throws {
        let (service, root, scratch) = try await Library.service()

        let outcome = try await Tool.run(
            "open",
            "library.store",
            "--service",
            root,
            "--query",
            "B=Books",
            "--progress",
            "plain",
            in: scratch
        )

        #expect(
            outcome.errors.hasPrefix(
                """
                open: step 1 of 7, asking for the metadata
                open: step 2 of 7, upgrading the schema
                open: step 3 of 7, receiving B (query 1 of 1)

                """
            )
        )
        #expect(outcome.errors.contains("open: step 7 of 7, finished  3 entities  "))
        withExtendedLifetime(service) {}
    }

    @Test func answersADownloadInJSON() async throws {
        let (service, _, scratch) = try await Self.opened()

        let outcome = try await Tool.run(
            ["download", "library.store", "--full", "--json"],
            in: scratch
        )

        #expect(outcome.status == 0)
        let counts = #"{"inserted":0,"updated":0,"removed":0,"links":0,"conflicts":0,"#
        let start = counts + #""queries":[{"name":"B","#
        #expect(outcome.output.hasPrefix(start))
        #expect(outcome.output.contains(#""error":null}],"requests":3,"seconds":"#))
        withExtendedLifetime(service) {}
    }

    @Test func uploadsAndDownloads() async throws {
        let (service, root, scratch) = try await Self.opened()
        _ = try await Tool.run(
            "patch",
            "library.store",
            "Books(10)",
            #"{"Title": "X"}"#,
            in: scratch
        )
        _ = try await Tool.run(
            "post",
            "library.store",
            "Authors",
            #"{"ID": 3, "Name": "Cy"}"#,
            in: scratch
        )

        let upload = try await Tool.run("upload", "library.store", in: scratch)
        let download = try await Tool.run("download", "library.store", in: scratch)
        let queue = try await Tool.run("queue", "library.store", in: scratch)
        let other = try await Tool.run(
            "open",
            "other.store",
            "--service",
            root,
            "--query",
            "B=Books",
            "--query",
            "A=Authors",
            in: scratch
        )
        let title = try await Tool.run("get", "other.store", "Books(10)/Title/$value", in: scratch)
        let name = try await Tool.run("get", "other.store", "Authors(3)/Name/$value", in: scratch)

        #expect(upload.status == 0)
        #expect(upload.output.hasPrefix("uploaded: 2 carried out, "))
        #expect(download.status == 0)
        #expect(queue.output == "nothing is waiting\n")
        #expect(other.status == 0)
        #expect(title.output == "X\n")
        #expect(name.output == "Cy\n")
        withExtendedLifetime(service) {}
    }

    @Test func tellsOfRefusedRequests() async throws {
        let (service, _, scratch) = try await Self.opened()
        _ = try await Tool.run(
            "post",
            "library.store",
            "Authors",
            #"{"ID": 7, "Name": "Di"}"#,
            in: scratch
        )
        // Somebody else takes the key at the service.
        try await Self.take(key: 7, at: scratch)

        let upload = try await Tool.run("upload", "library.store", in: scratch)
        let errors = try await Tool.run("errors", "library.store", "--json", in: scratch)
        let status = try await Tool.run("status", "library.store", "--json", in: scratch)

        #expect(upload.status == 5)
        #expect(upload.output.hasPrefix("uploaded: 0 carried out, 1 refused, "))
        #expect(upload.errors.hasPrefix("refused: request 1 POST Authors: 409 "))
        #expect(
            upload.errors.hasSuffix(
                "`offline-odata errors library.store` shows why they were refused.\n"
            )
        )
        #expect(
            errors.output.hasPrefix(
                #"[{"RequestID":1,"Status":"failed","RequestMethod":"POST","RequestURL":"Authors","#
                    + #""RequestBody":"{\"ID\":7,\"Name\":\"Di\"}","CustomTag":null,"#
            )
        )
        #expect(errors.output.contains(#""HTTPStatusCode":409,"Code":""#))
        #expect(status.output.contains(#""queue":0,"errors":1,"interrupted":null,"events":[{"#))
        withExtendedLifetime(service) {}
    }

    private static func take(key: Int, at scratch: Scratch) async throws {
        let status = try await Tool.run("status", "library.store", "--json", in: scratch)
        let root = try #require(status.output.firstMatch(of: /"serviceRoot":"([^"]*)"/)?.1)
        _ = try await Tool.run(
            "open",
            "other.store",
            "--service",
            String(root),
            "--query",
            "A=Authors",
            in: scratch
        )
        _ = try await Tool.run(
            "post",
            "other.store",
            "Authors",
            "{\"ID\": \(key), \"Name\": \"Eve\"}",
            in: scratch
        )
        let upload = try await Tool.run("upload", "other.store", in: scratch)
        guard upload.status == 0 else { throw ToolFailure(outcome: upload) }
    }

    @Test func synchronisesBothWays() async throws {
        let (service, _, scratch) = try await Self.opened()
        _ = try await Tool.run("delete", "library.store", "Books(12)", in: scratch)

        let outcome = try await Tool.run("sync", "library.store", in: scratch)

        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("uploaded: 1 carried out, 1 request, ") == true)
        #expect(
            lines.last?.hasPrefix("downloaded: 0 new, 0 changed, 0 removed, 0 in conflict, ")
                == true
        )
        withExtendedLifetime(service) {}
    }

    @Test func managesDefiningQueries() async throws {
        let (service, _, scratch) = try await Self.opened()

        let added = try await Tool.run(
            "query",
            "add",
            "library.store",
            "M=Books?$filter=ID eq 11",
            in: scratch
        )
        let again = ["query", "add", "library.store", "M=Books?$filter=ID eq 11"]
        #expect(try await Tool.run(again, in: scratch).output == "M is there already\n")
        let wrong = try await Tool.run("query", "add", "library.store", "W=Bookz", in: scratch)
        let removed = try await Tool.run("query", "remove", "library.store", "A", in: scratch)
        let list = try await Tool.run("query", "list", "library.store", "--json", in: scratch)
        let authors = try await Tool.run("get", "library.store", "Authors/$count", in: scratch)
        let unknown = try await Tool.run("download", "library.store", "--query", "A", in: scratch)

        #expect(added.output == "added M: its data comes with the next open or download\n")
        #expect(wrong.status == 2)
        #expect(
            wrong.errors
                == "error: the query W is refused: the service has no Bookz, at offset 0; did you mean Books?\n"
        )
        #expect(removed.output == "removed A with 2 entities\n")
        #expect(
            list.output.contains(
                #"{"name":"M","url":"Books?$filter=ID eq 11","lastDownload":null,"hasDeltaLink":false}]"#
            )
        )
        #expect(authors.output == "0\n")
        #expect(unknown.status == 6)
        #expect(unknown.errors == "error: the store has no defining query A; it has: B, M\n")
        withExtendedLifetime(service) {}
    }

    @Test func refusesAnotherServiceForAStore() async throws {
        let (service, root, scratch) = try await Self.opened()

        let outcome = try await Tool.run(
            "open",
            "library.store",
            "--service",
            "http://localhost/other/",
            in: scratch
        )

        #expect(outcome.status == 2)
        #expect(
            outcome.errors == """
                error: the store belongs to another service: \(root); \
                use another file for this service, or remove the store

                """
        )
        withExtendedLifetime(service) {}
    }

    @Test func tellsAServiceThatIsNotThere() async throws {
        let (service, _, scratch) = try await Self.opened()
        _ = await service.end()

        let outcome = try await Tool.run("download", "library.store", in: scratch)
        let status = try await Tool.run("status", "library.store", "--json", in: scratch)

        #expect(outcome.status == 4)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("error: the service cannot be reached: "))
        #expect(
            outcome.errors.hasSuffix("Nothing done is lost; calling the command again goes on.\n")
        )
        #expect(status.output.contains(#""interrupted":"download""#))
    }

    @Test func saysThatAFirstOpenHasLoadedNothing() async throws {
        let scratch = try Scratch()
        let (service, root, _) = try await Self.opened()
        _ = await service.end()

        let line = ["open", "new.store", "--service", root, "--query", "B=Books"]
        let outcome = try await Tool.run(line, in: scratch)

        #expect(outcome.status == 4)
        #expect(
            outcome.errors.hasSuffix(
                "Nothing was loaded, and no store was made.\n"
            )
        )
    }

    @Test func refusesAnIncompatibleModel() async throws {
        let (service, root, scratch) = try await Self.opened()
        _ = await service.end()
        let port = try #require(root.split(separator: ":").last?.dropLast())
        try scratch.write(
            Library.metadata.replacing("<Property Name=\"AuthorID\" Type=\"Edm.Int32\"/>", with: "")
                .replacing(
                    #/<NavigationProperty[\s\S]*?<\/NavigationProperty>/#,
                    with: ""
                )
                .replacing(
                    "<NavigationPropertyBinding Path=\"Author\" Target=\"Authors\"/>",
                    with: ""
                ),
            to: "other.xml"
        )
        let (changed, _) = try await RunningTool.service(
            ["--metadata", scratch.path("other.xml"), "--port", String(port)])

        let outcome = try await Tool.run("download", "library.store", in: scratch)
        let books = try await Tool.run("get", "library.store", "Books/$count", in: scratch)
        let status = try await Tool.run("status", "library.store", "--json", in: scratch)

        #expect(outcome.status == 3)
        // Calling again would be refused again.
        #expect(status.output.contains(#""interrupted":null"#))
        #expect(outcome.errors.contains("\n  Library.Book/AuthorID: property removed"))
        #expect(books.output == "3\n")
        withExtendedLifetime(changed) {}
    }

    /// What the metadata shows to bring no entities is refused where it is added, and spoils no later download.
    @Test(arguments: ["Books(10)/Title", "Books/$count", "Books(10)/Author/$ref"])
    func refusesAQueryThatBringsNoEntities(_ url: String) async throws {
        let (service, _, scratch) = try await Self.opened()
        let refused = try await Tool.run("query", "add", "library.store", "P=" + url, in: scratch)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("brings no entities"), "\(refused.errors)")
        let download = try await Tool.run("download", "library.store", in: scratch)
        #expect(download.status == 0)
        withExtendedLifetime(service) {}
    }

    /// The members are a promise to scripts.
    @Test func comparesSeveralTimesAtOnce() async throws {
        let (service, _, scratch) = try await Self.opened()
        let check = ["check", "library.store", "--against-service"]
        let outcomes = try await withThrowingTaskGroup(of: Tool.Outcome.self) { group in
            for _ in 0..<4 { group.addTask { try await Tool.run(check, in: scratch) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.map(\.status) == [0, 0, 0, 0], "\(outcomes.map(\.errors))")
        #expect(try scratch.names().filter { $0.contains("-check-") }.isEmpty)
        withExtendedLifetime(service) {}
    }

    @Test func comparesInJSON() async throws {
        let (service, _, scratch) = try await Self.opened()
        let check = ["check", "library.store", "--against-service", "--json"]
        let same = try await Tool.run(check, in: scratch)
        #expect(same.status == 0)
        let counts = #""faults":[],"compared":5,"passedOver":0,"seconds":0}"# + "\n"
        #expect(same.untimed.output == #"{"sound":true,"differences":[],"# + counts)
        try await Self.take(key: 7, at: scratch)
        let different = try await Tool.run(check, in: scratch)
        #expect(different.status == 1)
        #expect(
            different.untimed.output
                == #"{"sound":true,"differences":[{"url":"Authors(7)","kind":"missing","properties":[]}],"#
                + counts
        )
        withExtendedLifetime(service) {}
    }

    @Test func comparesTheStoreWithItsService() async throws {
        let (service, _, scratch) = try await Self.opened()
        let check = ["check", "library.store", "--against-service"]
        let same = try await Tool.run(check, in: scratch)
        // Local changes are passed over; somebody else's differ.
        _ = try await Tool.run(
            "patch",
            "library.store",
            "Books(10)",
            #"{"Title": "X"}"#,
            in: scratch
        )
        _ = try await Tool.run("delete", "library.store", "Books(11)", in: scratch)
        try await Self.take(key: 7, at: scratch)
        let different = try await Tool.run(check, in: scratch)

        #expect(
            same.untimed
                == Tool.Outcome(
                    status: 0,
                    output: "the same as the service: 5 entities, 0 s\n",
                    errors: ""
                )
        )
        #expect(different.status == 1)
        #expect(different.output == "Authors(7): the store does not have it\n")
        #expect(
            different.errors == """
                passed over: 2 entities with local changes
                error: 1 difference in 3 entities
                `download library.store --full` brings the service's state.

                """
        )
        for suffix in ["", "-wal", "-shm", "-sync"] {
            #expect(!scratch.exists("library.store-check" + suffix))
        }
        withExtendedLifetime(service) {}
    }

    @Test func takesCredentialsFromAFile() async throws {
        let (service, root, scratch) = try await Library.service("--token", "secret")
        try scratch.write("secret\n", to: "token")
        try scratch.write("Authorization: Bearer secret\n\n", to: "headers")
        let open = ["open", "library.store", "--service", root, "--query", "B=Books"]

        let without = try await Tool.run(open, in: scratch)
        let wrong = try await Tool.run(open + ["--user", "ada:secret"], in: scratch)
        let bearer = try await Tool.run(open + ["--bearer", "@token"], in: scratch)
        let header = try await Tool.run(
            "download",
            "library.store",
            "--header",
            "@headers",
            in: scratch
        )

        #expect(without.status == 1)
        #expect(without.errors.contains("401"))
        #expect(wrong.status == 1)
        #expect(bearer.status == 0)
        #expect(header.status == 0)
        withExtendedLifetime(service) {}
    }

    @Test func waitsForAnotherProcess() async throws {
        let (service, _, scratch) = try await Self.opened()
        let flags = O_RDWR | O_CREAT | O_CLOEXEC
        let descriptor = unsafe open(scratch.path("library.store-sync"), flags, 0o600)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX) == 0)

        let refused = try await Tool.run("download", "library.store", in: scratch)
        let local = try await Tool.run(
            "patch",
            "library.store",
            "Books(10)",
            #"{"Title": "X"}"#,
            in: scratch
        )
        async let waiting = Tool.run("download", "library.store", "--wait", "60", in: scratch)
        flock(descriptor, LOCK_UN)
        let waited = try await waiting

        #expect(refused.status == 7)
        #expect(
            refused.errors == """
                error: another synchronisation of this store runs; wait for it or try later
                --wait SECONDS waits for the other process.

                """
        )
        #expect(local.status == 0)
        #expect(waited.status == 0)
        withExtendedLifetime(service) {}
    }
}
