import Foundation
import TestSupport
import Testing

/// Queues in files: streams, groups and headers come along.
@Suite struct QueueFileTests {
    private static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="G" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/></EntityType>
          <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <Property Name="Picture" Type="Edm.Stream"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="G.Photo"/>
            <EntitySet Name="People" EntityType="G.Person"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Two stores of the same person.
    private static func stores() async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(metadata, to: "metadata.xml")
        try scratch.write(#"[{"ID":1,"Name":"Ada"}]"#, to: "People.json")
        for store in ["one.store", "two.store"] {
            try await run(scratch, "import", store, "--metadata", "metadata.xml", "People.json")
        }
        return scratch
    }

    @discardableResult
    private static func run(_ scratch: Scratch, _ words: String...) async throws -> String {
        let outcome = try await Tool.run(words, in: scratch)
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        return outcome.output
    }

    /// Longer than a piece of the file, and no multiple of three bytes.
    private static let content = String(
        (0..<30_001).map { "line \($0 % 10_000 + 10_000)" }.joined(separator: "\n").prefix(300_001)
    )

    private static func transfer(_ scratch: Scratch) async throws {
        try await run(scratch, "queue", "export", "one.store", "queue.json")
        try await run(scratch, "queue", "import", "two.store", "queue.json")
    }

    @Test func bringsStreamsAlong() async throws {
        let scratch = try await Self.stores()
        try scratch.write(Self.content, to: "photo.txt")
        try scratch.write("face", to: "face.txt")
        for words in [
            ["post", "one.store", "Photos", "@photo.txt", "--content-type", "text/plain"],
            ["put", "one.store", "People(1)/Picture", "@face.txt", "--content-type", "text/plain"],
        ] {
            let outcome = try await Tool.run(words, in: scratch)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try await Self.transfer(scratch)

        let photos = try await Self.run(scratch, "get", "two.store", "Photos")
        let link = try #require(photos.firstRange(of: "\"@odata.readLink\":\""))
        let url = photos[link.upperBound...].prefix { $0 != "\"" }
        let photo = try await Self.run(scratch, "get", "two.store", url + "/$value")
        #expect(photo == Self.content)
        let picture = try await Self.run(scratch, "get", "two.store", "People(1)/Picture")
        #expect(picture == "face")
        let queue = try await Self.run(scratch, "queue", "two.store", "--json")
        #expect(queue.contains(#""RequestMethod":"POST","RequestURL":"Photos""#))
        #expect(queue.contains(#""RequestMethod":"PUT","RequestURL":"People(1)/Picture""#))
    }

    @Test func bringsGroupsAndHeadersAlong() async throws {
        let scratch = try await Self.stores()
        let created = try await Self.run(
            scratch,
            "post",
            "one.store",
            "People",
            #"{"Name":"Bo"}"#,
            "--transaction",
            "@new",
            "--category",
            "field",
            "--tag",
            "t",
            "--header-template",
            "X-Who: {People(1)/Name}",
            "--request-header",
            "X-Own: 1"
        )
        let old = try #require(Self.localID(created))
        try await Self.run(
            scratch,
            "patch",
            "one.store",
            "People(1)",
            #"{"Name":"Cy"}"#,
            "--transaction",
            old
        )
        try await Self.transfer(scratch)

        let queue = try await Self.run(scratch, "queue", "two.store", "--json")
        let people = try await Self.run(scratch, "get", "two.store", "People")
        let new = try #require(Self.localID(people))
        #expect(new != old)
        // Both are in the transaction that the new entity names.
        #expect(queue.ranges(of: "\"TransactionID\":\"\(new)\"").count == 2)
        #expect(queue.contains(#""UploadCategory":"field""#))
        #expect(queue.contains(#""CustomTag":"t""#))
        let again = try await Self.run(scratch, "queue", "export", "two.store", "-")
        #expect(again.contains(#""CustomHeaders":"X-Own: 1\n X-Who: {People(1)/Name}""#))
    }

    @Test func mergesOnlyWhereItIsAskedFor() async throws {
        let scratch = try await Self.stores()
        for words in [
            ["post", "one.store", "People", #"{"ID":7,"Name":"Di"}"#],
            ["patch", "one.store", "People(7)", #"{"Name":"Ed"}"#, "--optimize"],
            ["patch", "one.store", "People(7)", #"{"Name":"Fi"}"#],
        ] {
            let outcome = try await Tool.run(words, in: scratch)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let queue = try await Self.run(scratch, "queue", "one.store", "--json")
        #expect(queue.ranges(of: "RequestMethod").count == 2)
        #expect(queue.contains(#"{\"ID\":7,\"Name\":\"Ed\"}"#))
        try await Self.run(scratch, "queue", "export", "one.store", "queue.json")
        try await Self.run(scratch, "queue", "import", "two.store", "queue.json", "--optimize")
        let merged = try await Self.run(scratch, "queue", "two.store", "--json")
        #expect(merged.ranges(of: "RequestMethod").count == 1)
        #expect(merged.contains(#"{\"ID\":7,\"Name\":\"Fi\"}"#))
        try await Self.run(scratch, "delete", "two.store", "People(7)", "--optimize")
        #expect(try await Self.run(scratch, "queue", "two.store") == "nothing is waiting\n")
    }

    private static func localID(_ text: String) -> String? {
        guard let start = text.firstRange(of: "$local='")?.upperBound else { return nil }
        return String(text[start...].prefix { $0 != "'" })
    }
}
