import ODataHTTP
import OfflineOData
import Testing

/// What a service does with an entity that is changed from here, and by which names it speaks of it, is no conflict.
@Suite struct OwnWorkTests {
    private static let extra = #"<Property Name="New" Type="Edm.String"/>"#

    private static func metadata(_ more: String = "") -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Guid" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Age" Type="Edm.Int32"/><Property Name="Version" Type="Edm.Int32"/>\(more)
        <NavigationProperty Name="Boss" Type="M.Person"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="People" EntityType="M.Person">
        <NavigationPropertyBinding Path="Boss" Target="People"/></EntitySet></EntityContainer></Schema>
        </edmx:DataServices></edmx:Edmx>
        """
    }

    private static let one = "11111111-0000-0000-0000-000000000001"
    private static let two = "11111111-0000-0000-0000-000000000002"

    private static func person(
        _ id: String = one,
        version: Int = 1,
        name: String = "a",
        age: Int = 1
    )
        -> String
    {
        #"{"ID":"\#(id)","Name":"\#(name)","Age":\#(age),"Version":\#(version)}"#
    }

    private func opened(_ page: String, query: String = "People") async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: Self.metadata())
        service.set("GET " + query, RecordedService.json(page))
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened([query]))
    }

    private func send(
        _ provider: OfflineODataProvider,
        _ method: String,
        _ url: String,
        _ body: String = ""
    ) async throws {
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: body.isEmpty ? [:] : ["Content-Type": "application/json"],
            body: Array(body.utf8)
        )
        let answer = await provider.respond(to: request)
        try #require(answer.isSuccess, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private func ids(_ provider: OfflineODataProvider) async throws -> Int {
        try await provider.executeQuery("People").count
    }

    // MARK: Changes

    /// The service counts versions in a property, and answers the first change without an ETag or a value.
    @Test(arguments: [
        (#","@odata.etag":"\"e1\""}"#, #","@odata.etag":"\"e2\""}"#), ("}", "}"),
    ])
    func sendsASecondChangeBehindItsOwn(_ first: String, _ second: String) async throws {
        let url = "People(\(Self.one))"
        let page = "{\"value\":[\(Self.person().dropLast())\(first)]}"
        let (service, provider) = try await opened(page)
        try await send(provider, "PATCH", url, #"{"Age":2}"#)
        service.set("PATCH " + url, HTTPResponse(status: 204))
        try await provider.upload()
        try await send(provider, "PATCH", url, #"{"Name":"b"}"#)
        let now = Self.person(version: 2, age: 2).dropLast() + second
        service.set("GET " + url, RecordedService.json(String(now)))
        try await provider.upload()
        #expect(try await provider.errorArchive().isEmpty)
        #expect(service.requests.filter { $0.hasPrefix("PATCH") }.count == 2)
    }

    /// Somebody else has changed just what the second change writes over.
    @Test func meetsAConflictOverWhatItWrites() async throws {
        let url = "People(\(Self.one))"
        let (service, provider) = try await opened("{\"value\":[\(Self.person())]}")
        try await send(provider, "PATCH", url, #"{"Age":2}"#)
        service.set("PATCH " + url, HTTPResponse(status: 204))
        try await provider.upload()
        try await send(provider, "PATCH", url, #"{"Name":"b"}"#)
        let now = Self.person(version: 2, name: "theirs", age: 2)
        service.set("GET " + url, RecordedService.json(now))
        try await provider.upload()
        #expect(try await provider.errorArchive().count == 1)
        #expect(service.requests.filter { $0.hasPrefix("PATCH") }.count == 1)
    }

    /// A rule of a service that has no ETags.
    @Test(arguments: [409, 412])
    func asksOnceWhatAServiceWithoutETagsRefuses(_ status: Int) async throws {
        let url = "People(\(Self.one))"
        let (service, provider) = try await opened("{\"value\":[\(Self.person())]}")
        try await send(provider, "DELETE", url)
        service.set("GET " + url, RecordedService.json(Self.person()))
        let refusal = #"{"error":{"code":"x","message":"somebody needs it"}}"#
        service.set("DELETE " + url, RecordedService.json(refusal, status: status))
        try await provider.upload()
        #expect(service.requests.filter { $0.hasPrefix("DELETE") }.count == 1)
        let message = try await provider.errorArchive().first?.failure?.message
        #expect(message?.contains("somebody needs it") == true)
        #expect(message?.contains("ETag") == false, "\(message ?? "")")
    }

    @Test(arguments: ["", #","New":null"#, #","New":"x""#])
    func findsNoConflictInAPropertyThatIsNew(_ value: String) async throws {
        let (service, provider) = try await opened("{\"value\":[\(Self.person())]}")
        try await send(provider, "PATCH", "People(\(Self.one))", #"{"Age":2}"#)
        let document = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/xml"],
            body: Array(Self.metadata(Self.extra).utf8)
        )
        service.set("GET $metadata", document)
        let page = "{\"value\":[\(Self.person().dropLast())\(value)}]}"
        service.set("GET People", RecordedService.json(page))
        let result = try await provider.download()
        #expect(result.conflictCount == 0)
        let person = try await provider.executeQuery("People").first
        #expect(person?.hasConflict == false)
        #expect(person?["New"]?.stringValue == (value.contains("x") ? "x" : nil))
        #expect(person?["Age"]?.integerValue == 2)
    }

    // MARK: Names

    /// The service stands behind a gateway that gives it another path; ids begin with what it calls its own root.
    @Test(arguments: [
        "http://inside.test/v1/People(\(two))", "http://service.test/v1/People(\(two))", two,
        "People(\(two))",
    ])
    func removesWhatTheServiceNamesByItsOwnRoot(_ id: String) async throws {
        let page =
            "{\"value\":[\(Self.person()),\(Self.person(Self.two))],\"@odata.deltaLink\":\"d1\"}"
        let (service, provider) = try await opened(page)
        let root = id.hasPrefix("http://s") ? "http://service.test/v1/" : "http://inside.test/v1/"
        let delta = """
            {"@odata.context":"\(root)$metadata#People/$delta","value":[
            {"@odata.context":"\(root)$metadata#People/$deletedEntity","id":"\(id)","reason":"deleted"}],
            "@odata.deltaLink":"d2"}
            """
        service.set("GET d1", RecordedService.json(delta))
        try await provider.download()
        #expect(try await ids(provider) == 1)
    }

    @Test func relatesWhatTheServiceNamesByItsOwnRoot() async throws {
        let root = "http://inside.test/v1/"
        let boss = #""Boss":{"@odata.id":"\#(root)People(\#(Self.two))"}"#
        let page = """
            {"@odata.context":"\(root)$metadata#People","value":[
            \(Self.person().dropLast()),\(boss)},\(Self.person(Self.two))]}
            """
        let (_, provider) = try await opened(page, query: "People?$expand=Boss/$ref")
        let found = try await provider.executeQuery("People(\(Self.one))/Boss")
        #expect(found.first?["ID"]?.stringValue?.lowercased() == Self.two)
    }
}
