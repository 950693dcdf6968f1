import ODataHTTP
import OfflineOData
import Testing

/// Members of a change set share what is made to answer them: each still answers as a read of its entity does.
@Suite struct ChangeSetAnswerTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Part" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <Property Name="Weight" Type="Edm.Double"/><Property Name="Mark" Type="Edm.Binary"/></EntityType>
        <EntityType Name="Screw" BaseType="S.Part"><Property Name="Pitch" Type="Edm.Decimal" Scale="2"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="S.Part"/><EntitySet Name="Tools" EntityType="S.Part"/><EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let full = "application/json;odata.metadata=full"
    private static let none = "application/json;odata.metadata=none"
    private static let minimal = "application/json;odata.metadata=minimal"
    private static let exact = "application/json;IEEE754Compatible=true"

    /// A creation, and where its entity is read.
    private struct Member {
        var set: String
        var accept = minimal
        var body: String
        var url: String
    }

    private static let members = [
        Member(set: "Parts", body: #"{"ID":1,"Name":"Nut","Weight":0.1}"#, url: "Parts(1)"),
        Member(set: "Parts", body: #"{"ID":2,"Name":null,"Mark":"AQI="}"#, url: "Parts(2)"),
        Member(set: "Tools", body: #"{"ID":2,"Name":"Saw"}"#, url: "Tools(2)"),
        Member(set: "Parts", accept: full, body: #"{"ID":3,"Name":"Bolt"}"#, url: "Parts(3)"),
        Member(set: "Orders", body: #"{"ID":1,"Name":"a"}"#, url: "Orders(1)"),
        Member(set: "Parts", accept: none, body: #"{"ID":4,"Colour":"red"}"#, url: "Parts(4)"),
        Member(
            set: "Parts",
            body: ##"{"@odata.type":"#S.Screw","ID":5,"Pitch":1.25}"##,
            url: "Parts(5)"
        ),
        Member(set: "Parts/S.Screw", body: #"{"ID":6,"Pitch":2}"#, url: "Parts(6)"),
        Member(set: "Orders(1)/Items", body: #"{"No":1}"#, url: "Orders(1)/Items(1)"),
        Member(set: "Orders", accept: exact, body: #"{"ID":2}"#, url: "Orders(2)"),
        Member(
            set: "Orders",
            body: #"{"ID":3,"Items":[{"No":7}]}"#,
            url: "Orders(3)?$expand=Items"
        ),
        Member(set: "Orders(1)/Items", body: #"{"No":2}"#, url: "Orders(1)/Items(2)"),
        Member(
            set: "Parts?$select=Name",
            body: #"{"ID":7,"Name":"x"}"#,
            url: "Parts(7)?$select=Name"
        ),
        Member(set: "Parts", accept: full, body: #"{"ID":8,"Size":4}"#, url: "Parts(8)"),
        Member(set: "Orders", body: #"{"ID":4,"Name":"last"}"#, url: "Orders(4)"),
        Member(set: "Parts", body: #"{"ID":9,"Name":"e\u0301"}"#, url: "Parts(9)"),
    ]

    @Test func answersEachCreationAsItsEntityIsRead() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Parts", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Tools", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Parts", "Tools", "Orders"])
        let requests = Self.members.enumerated().map { index, member in
            """
            {"id":"\(index)","atomicityGroup":"g","method":"post","url":"\(member.set)",
            "headers":{"Accept":"\(member.accept)","Content-Type":"application/json"},"body":\(member.body)}
            """
        }
        var batch = HTTPRequest(
            method: "POST",
            url: "$batch",
            headers: ["Content-Type": "application/json"]
        )
        batch.body = Array("{\"requests\":[\(requests.joined(separator: ","))]}".utf8)
        let answers = BatchResponse(json: await provider.respond(to: batch).body).parts
        try #require(answers.count == Self.members.count)
        for (answer, member) in zip(answers.map(\.response), Self.members) {
            let read = await provider.respond(
                to: HTTPRequest(method: "GET", url: member.url, headers: ["Accept": member.accept])
            )
            #expect(answer.status == 201 && read.status == 200, "\(member.url)")
            #expect(answer.headers["ETag"] == read.headers["ETag"], "\(member.url)")
            #expect(read.headers["ETag"]?.hasPrefix("W/\"local-") == true)
            #expect(
                String(decoding: answer.body, as: UTF8.self)
                    == String(decoding: read.body, as: UTF8.self)
            )
        }
    }
}
