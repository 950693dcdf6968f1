import ODataHTTP
import Testing

/// Names of operations with and without their namespace (OData 4.01 Part 1 § 12.1.1).
@Suite struct OperationNameTests {
    private static let inside = ClauseService.metadata.replacing(
        "<ComplexType Name=\"Addr\">",
        with: "<Annotation Term=\"Org.OData.Core.V1.DefaultNamespace\"/><ComplexType Name=\"Addr\">"
    )
    private static let outside = ClauseService.metadata.replacing(
        "<ComplexType Name=\"Addr\">",
        with: """
            <Annotations Target="T.Model"><Annotation Term="Org.OData.Core.V1.DefaultNamespace" Bool="true"/></Annotations>
            <ComplexType Name="Addr">
            """
    )

    @Test(
        arguments: [
            ("GET", "Custs(1)/T.Model.GetInfo()"), ("GET", "Custs(1)/GetInfo()"),
            ("GET", "Custs(1)/GetInfo"),
            ("POST", "Custs/T.Model.Close"), ("POST", "Custs/Close"),
        ],
        [inside, outside]
    )
    func findsOperationsOfADefaultNamespace(
        _ call: (method: String, url: String),
        _ metadata: String
    ) async throws {
        let service = try await ClauseService.make(metadata: metadata)
        let response = await service.send(call.method, call.url)
        #expect(response.status == 501, "\(response.text)")
        #expect(await service.get("Custs(1)/Name").status == 200)
    }

    /// Types of a default namespace go by their simple names as operations do.
    @Test(
        arguments: [
            ("Custs/VIP", #""ID":3"#), ("Custs(3)/VIP/Level", "7"), ("Custs/VIP(3)", #""ID":3"#),
            ("Custs/VIP/$count", "1"), ("Custs?$select=ID,VIP/Level", #""Level":7"#),
            ("Custs?$filter=VIP/Level eq 7", #""ID":3"#),
            ("Custs?$filter=isof(VIP)", #""ID":3"#),
            ("Custs?$filter=isof(Home,Addr)", #""ID":1"#),
            ("Custs?$filter=cast(VIP)/Level eq 7", #""ID":3"#),
            ("Custs?$expand=VIP/Perks", #""Perks":[]"#), ("$all/VIP", #""ID":3"#),
            ("Custs(1)/Home/Addr/Street", "S"),
        ],
        [inside, outside]
    )
    func findsTypesOfADefaultNamespace(_ request: (url: String, part: String), _ metadata: String)
        async throws
    {
        let service = try await ClauseService.make(metadata: metadata)
        let response = await service.get(request.url.replacing(" ", with: "%20"))
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains(request.part), "\(response.text)")
    }

    @Test func findsNoTypesOfOtherNamespaces() async throws {
        let service = try await ClauseService.make()
        for url in ["Custs(3)/VIP/Level", "Custs?$select=VIP/Level", "Custs?$filter=isof(VIP)"] {
            #expect([400, 404].contains(await service.get(url).status))
        }
    }

    @Test func namesTheQualifiedOperation() async throws {
        let response = await (try ClauseService.make()).get("Custs(1)/GetInfo")
        #expect(response.status == 404)
        #expect(response.text.contains("did you mean T.Model.GetInfo?"), "\(response.text)")
    }
}
