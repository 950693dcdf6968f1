import ODataHTTP
import Testing

/// Values and streams as they are, and numbers in answers (OData 4.01 Part 1 §§ 11.2.3, 11.2.4).
@Suite struct RawValueTests {
    @Test(arguments: [
        ("GET", "Custs(1)/$value", 400), ("GET", "Custs(99)/$value", 400),
        ("PUT", "Custs(1)/$value", 400),
        ("GET", "Custs(1)/Photo/$value", 400), ("PUT", "Custs(1)/Photo/$value", 400),
        ("GET", "Custs(1)/Photo", 204), ("GET", "Custs(1)/Home/$value", 400),
    ])
    func refusesRawValuesThatThereAreNot(_ method: String, _ url: String, _ status: Int)
        async throws
    {
        let response = await (try ClauseService.make()).send(method, url)
        #expect(response.status == status, "\(response.text)")
    }

    @Test(arguments: [
        ("*/*", 200), ("text/*", 200), ("text/plain", 200), ("text/plain;charset=utf-8", 200),
        ("image/png, text/*;q=0.1", 200), ("image/png", 406), ("application/json", 406),
        ("text/plain;q=0, */*", 406),
    ])
    func obeysAcceptOfValuesAndStreams(_ accept: String, _ status: Int) async throws {
        let service = try await ClauseService.make()
        let stored = await service.send(
            "PUT",
            "Custs(1)/Photo",
            ["Content-Type": "text/plain"],
            "hi"
        )
        #expect(stored.status == 204)
        for url in ["Custs(1)/Name/$value", "Custs(1)/Photo"] {
            // A stream has the type that it was sent with.
            if url.hasSuffix("Photo"), accept.contains("charset") { continue }
            let response = await service.get(url, ["Accept": accept])
            #expect(response.status == status, "\(url): \(response.text)")
        }
        // Counts are negotiated by nobody (OData 4.01 Part 1 § 11.2.10).
        #expect(await service.get("Custs/$count", ["Accept": accept]).status == 200)
    }

    /// OData ABNF `fullPointLiteral` and its kin.
    @Test(arguments: [
        ("Place", "SRID=4326;POINT(1 2.5)"), ("Area", "SRID=2056;POLYGON((0 0,1 0,1 1,0 0))"),
        ("Parts", "SRID=0;COLLECTION(POINT(1 2),LINESTRING(1 2,3 4))"),
    ])
    func writesGeoValuesAsText(_ property: String, _ text: String) async throws {
        let response = await (try ClauseService.make()).get("Custs(1)/\(property)/$value")
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "text/plain;charset=utf-8")
        #expect(response.text == text)
    }

    /// OData JSON 4.01 § 3.3.
    @Test(arguments: [
        ("", #""Price":15,"Costs":[{"Sum":250}]"#),
        (";IEEE754Compatible=true", #""Price":"15","Costs":[{"Sum":"250"}]"#),
        (";ExponentialDecimals=false", #""Price":15,"Costs":[{"Sum":250}]"#),
        (";ExponentialDecimals=true", #""Price":1.5E1,"Costs":[{"Sum":2.5e2}]"#),
    ])
    func writesExponentsOnlyWhereTheyAreAsked(_ parameter: String, _ part: String) async throws {
        let service = try await ClauseService.make()
        let accept = "application/json" + parameter
        let response = await service.get("Custs(1)?$select=Price,Costs", ["Accept": accept])
        #expect(response.text.contains(part), "\(response.text)")
        let type = try #require(response.headers["Content-Type"])
        let isAsked = parameter == ";ExponentialDecimals=true"
        #expect(type.contains("ExponentialDecimals=true") == isAsked)
    }

    @Test func writesLargeDecimalsInFull() async throws {
        let service = try await ClauseService.make()
        _ = await service.send("PATCH", "Custs(1)", [:], #"{"Price":1e60}"#)
        let response = await service.get("Custs(1)/Price/$value")
        #expect(response.text == "1" + String(repeating: "0", count: 60))
    }
}
