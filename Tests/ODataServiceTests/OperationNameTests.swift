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

    @Test func namesTheQualifiedOperation() async throws {
        let response = await (try ClauseService.make()).get("Custs(1)/GetInfo")
        #expect(response.status == 404)
        #expect(response.text.contains("did you mean T.Model.GetInfo?"), "\(response.text)")
    }
}
