import ODataHTTP
import Testing

/// Alternate keys inside change sets (`Core.AlternateKeys`): what counts is how the entities are at the end.
@Suite struct AlternateKeyTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Code" Type="Edm.String"/>
        <Property Name="Land" Type="Edm.String"/><Property Name="No" Type="Edm.Int32"/>
        <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection>
        <Record><PropertyValue Property="Key"><Collection>
        <Record><PropertyValue Property="Name" PropertyPath="Code"/><PropertyValue Property="Alias" String="Code"/></Record>
        </Collection></PropertyValue></Record>
        <Record><PropertyValue Property="Key"><Collection>
        <Record><PropertyValue Property="Name" PropertyPath="Land"/><PropertyValue Property="Alias" String="Land"/></Record>
        <Record><PropertyValue Property="Name" PropertyPath="No"/><PropertyValue Property="Alias" String="No"/></Record>
        </Collection></PropertyValue></Record></Collection></Annotation></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="S.Part"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let parts = """
        [{"ID":1,"Code":"a","Land":"CH","No":1},{"ID":2,"Code":"b","Land":"CH","No":2},{"ID":3},{"ID":4}]
        """

    typealias Change = (method: String, url: String, body: String)

    /// Typed, since the compiler needs minutes to find out the type of so many tuples.
    private static let cases: [(changes: [Change], status: Int)] = [
        ([("PATCH", "Parts(1)", #"{"Code":"b"}"#), ("PATCH", "Parts(2)", #"{"Code":"a"}"#)], 204),
        ([("PATCH", "Parts(1)", #"{"No":2}"#), ("PATCH", "Parts(2)", #"{"No":1}"#)], 204),
        ([("PATCH", "Parts(1)", #"{"No":2}"#), ("PATCH", "Parts(2)", #"{"Land":"DE"}"#)], 204),
        ([("POST", "Parts", #"{"ID":5,"Code":"a"}"#), ("DELETE", "Parts(1)", "{}")], 204),
        ([("PATCH", "Parts(1)", #"{"Code":"b"}"#), ("DELETE", "Parts(2)", "{}")], 204),
        (
            [("PATCH", "Parts(3)", #"{"Code":null}"#), ("PATCH", "Parts(4)", #"{"Code":null}"#)],
            204
        ),
        ([("PATCH", "Parts(3)", #"{"Code":"c"}"#), ("PATCH", "Parts(4)", #"{"Code":"c"}"#)], 409),
        ([("PATCH", "Parts(1)", #"{"No":2}"#), ("PATCH", "Parts(3)", #"{"No":1}"#)], 409),
        (
            [
                ("POST", "Parts", #"{"ID":5,"Code":"c"}"#),
                ("POST", "Parts", #"{"ID":6,"Code":"c"}"#),
            ], 409
        ),
        ([("PATCH", "Parts(1)", #"{"Code":"b"}"#), ("PATCH", "Parts(3)", #"{"Code":"a"}"#)], 409),
    ]

    @Test(arguments: cases)
    func checksAlternateKeysAtTheEndOfAChangeSet(changes: [Change], status: Int) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Parts", Array(Self.parts.utf8))]
        )
        let before = await service.get("Parts").text
        let requests = changes.enumerated().map { index, change in
            #"{"id":"r\#(index)","atomicityGroup":"g","method":"\#(change.0)","url":"\#(change.1)","#
                + #""headers":{"content-type":"application/json","prefer":"return=minimal"},"body":\#(change.2)}"#
        }
        let body = "{\"requests\":[\(requests.joined(separator: ","))]}"
        let response = await service.send("POST", "$batch", [:], body)
        #expect(response.text.contains("\"status\":\(status)"), "\(response.text)")
        #expect(response.text.contains("\"status\":409") == (status == 409))
        if status == 409 { #expect(await service.get("Parts").text == before) }
    }

    /// Of two entities with one key, the request that came last is to blame.
    @Test(arguments: [true, false])
    func blamesTheLastRequest(_ isLast: Bool) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Parts", Array(Self.parts.utf8))]
        )
        var changes = [
            #""url":"Parts(3)","body":{"No":3}}"#, #""url":"Parts(4)","body":{"Code":"b"}}"#,
        ]
        if !isLast { changes.reverse() }
        let requests = changes.enumerated().map {
            #"{"id":"r\#($0)","atomicityGroup":"g","method":"PATCH",\#($1)"#
        }
        let body = "{\"requests\":[\(requests.joined(separator: ","))]}"
        let response = await service.send("POST", "$batch", [:], body)
        let refused = BatchResponse(json: response.body).parts
            .filter { $0.response.status == 409 }
        #expect(refused.map(\.contentID) == [isLast ? "r1" : "r0"], "\(response.text)")
    }
}
