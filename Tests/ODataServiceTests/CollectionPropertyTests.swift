import ODataHTTP
import Testing

/// Changes of collection properties, and what answers to updates hold (OData 4.01 Part 1 §§ 11.4.1.5, 11.4.9.4).
@Suite struct CollectionPropertyTests {
    @Test(arguments: [
        ("Custs(1)/Tags", #"{"value":"c"}"#, #"["a","b","c"]"#),
        ("Custs(2)/Tags", #"{"value":"c"}"#, #"["c"]"#),
        (
            "Custs(1)/Homes", #"{"City":"D"}"#,
            #"[{"Street":null,"City":"C"},{"Street":null,"City":"D"}]"#
        ),
    ])
    func addsAnItem(_ url: String, _ body: String, _ items: String) async throws {
        let service = try await ClauseService.make()
        let response = await service.send("POST", url, [:], body)
        #expect(response.status == 204, "\(response.text)")
        #expect(await service.get(url).text.hasSuffix(#""value":\#(items)}"#))
        let prefer: HTTPHeaders = ["Prefer": "return=representation"]
        let again = await service.send("POST", url, prefer, body)
        #expect(again.status == 200)
        #expect(
            again.text.contains(#""value":[\#(items.dropFirst().dropLast()),"#),
            "\(again.text)"
        )
    }

    @Test(arguments: [
        ("POST", "Custs(1)/Tags", #"{"value":["c"]}"#, 400), ("POST", "Custs(1)/Tags", "{}", 400),
        ("POST", "Custs(1)/Tags", #"{"value":7}"#, 400),
        ("POST", "Custs(9)/Tags", #"{"value":"c"}"#, 404),
        ("PATCH", "Custs(1)/Tags", #"{"value":["c"]}"#, 405),
        ("POST", "Custs(1)/Name", #"{"value":"c"}"#, 405),
    ])
    func refusesWhatAddsNoItem(_ method: String, _ url: String, _ body: String, _ status: Int)
        async throws
    {
        let service = try await ClauseService.make()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == status, "\(response.text)")
        if url.hasSuffix("Tags"), status == 405 {
            #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS, POST, PUT, DELETE")
        }
    }

    @Test(arguments: [
        ("PATCH", "Custs(1)?$select=Name", #"{"Name":"N"}"#, #""ID":1,"Name":"N"}"#),
        ("PUT", "Orders(1)?$select=Title", #"{"Title":"N"}"#, #""ID":1,"Title":"N"}"#),
        ("PATCH", "Custs(1)?$expand=Orders&$select=ID", #"{"Name":"N"}"#, #""Orders":[{"#),
        ("PATCH", "Custs(1)/Home?$select=City", #"{"City":"N"}"#, #""City":"N"}"#),
    ])
    func answersUpdatesWithWhatIsSelected(
        _ method: String,
        _ url: String,
        _ body: String,
        _ part: String
    ) async throws {
        let service = try await ClauseService.make()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 200)
        #expect(response.text.contains(part), "\(response.text)")
        #expect(response.headers["Preference-Applied"] == nil)
        let minimal = await service.send(method, url, ["Prefer": "return=minimal"], body)
        #expect(minimal.status == 204)
    }
}
