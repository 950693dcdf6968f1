import TestSupport
import Testing

/// The page of a service without store.
@Suite struct PageServiceTests {
    private static func service(_ options: String...) async throws -> (PageConnection, Scratch) {
        let scratch = try Library.files()
        return (
            try await PageConnection(["--metadata", scratch.path("metadata.xml")] + options),
            scratch
        )
    }

    @Test func describesItselfAndItsModel() async throws {
        let (page, scratch) = try await Self.service()
        #expect(
            try await page.read("about").body
                == #"{"kind":"service","name":"metadata.xml","version":"4.0"}"#
        )
        let model = try await page.read("model").body
        #expect(
            model.contains(
                #"{"name":"Library.Book","kind":"entity","base":null,"abstract":false,"media":false,"key":["ID"],"#
                    + #""properties":[{"name":"ID","type":"Edm.Int32","nullable":false},"#
                    + #"{"name":"Title","type":"Edm.String","nullable":false},"#
                    + #"{"name":"AuthorID","type":"Edm.Int32","nullable":true}],"#
                    + #""relations":[{"name":"Author","type":"Library.Author","collection":false,"contained":false}]}"#
            )
        )
        #expect(
            model.hasSuffix(
                #"{"name":"Authors","kind":"set","type":"Library.Author","builtIn":false}]}"#
            )
        )
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: ["queue", "errors", "events", "status", "sync", "conflict?url=Books(1)"])
    func hasNothingOfAStore(path: String) async throws {
        let (page, scratch) = try await Self.service()
        #expect(try await page.read(path).status == 404)
        #expect(try await page.act("queue/drop", #"{"id": 1}"#).status == 404)
        withExtendedLifetime(scratch) {}
    }

    /// Faults are for the service's clients, and count their requests alone.
    @Test func keepsThePageFreeOfFaults() async throws {
        let faults = try Scratch()
        try faults.write(#"[{"match":"GET /","action":"drop-before"}]"#, to: "faults.json")
        let (page, scratch) = try await Self.service("--faults", faults.path("faults.json"))
        #expect(try await page.send("GET /", ["Accept: text/html"]).status == 200)
        #expect(try await page.read("model").status == 200)
        #expect(try await page.send("GET /Books").status == 0)
        #expect(try await page.send("GET /Books").status == 200)
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: ["--bearer", "--header", "--timeout"])
    func refusesOptionsOfAStore(option: String) async throws {
        let scratch = try Library.files()
        let outcome = try await Tool.run(
            ["serve", "--metadata", scratch.path("metadata.xml"), option, "1"]
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("\(option) is of a STORE, whose page synchronises it"))
    }
}
