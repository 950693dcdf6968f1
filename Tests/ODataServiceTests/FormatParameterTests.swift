import FieldServiceMetadata
import ODataHTTP
import ODataModelConversion
import Testing

/// Formats and versions that are asked for by their parameters (OData 4.01 Part 1 §§ 8.1.5, 8.2.1, 8.2.2).
@Suite struct FormatParameterTests {
    @Test(arguments: [
        "application/json;foo=bar", "application/json;charset=iso-8859-1", "*/*;foo=bar",
        "application/json;IEEE754Compatible=maybe",
    ])
    func refusesUnknownParameters(accept: String) async throws {
        let service = try await SampleService.make()
        #expect(await service.get("Parts", ["Accept": accept]).status == 406)
        #expect(await service.get("Parts?$format=\(accept.percentEncoded)").status == 406)
        #expect(await service.get("Parts", ["Accept": "\(accept),application/json"]).status == 200)
    }

    @Test(arguments: [
        ("iso-8859-1", 406), ("iso-8859-1, utf-8;q=0", 406), ("UTF-8", 200),
        ("iso-8859-1;q=0.9, *;q=0.1", 200),
    ])
    func obeysAcceptedCharsets(charsets: String, status: Int) async throws {
        let accept = "application/json;charset=iso-8859-1"
        let headers: HTTPHeaders = ["Accept": accept, "Accept-Charset": charsets]
        #expect(await (try SampleService.make()).get("Parts", headers).status == status)
    }

    @Test(arguments: [
        (nil, "text/plain;charset=utf-8"), ("text/plain", "text/plain"),
        ("text/plain;charset=utf-8", "text/plain;charset=utf-8"),
    ])
    func namesTheCharsetOfTextWhereItIsAskedFor(accept: String?, type: String) async throws {
        var headers: HTTPHeaders = [:]
        headers["Accept"] = accept
        let response = await (try SampleService.make()).get("Parts/$count", headers)
        #expect(response.headers["Content-Type"] == type)
    }

    @Test(arguments: ["GET", "DELETE", "PATCH"])
    func takesQueriesInBodiesByPOSTOnly(method: String) async throws {
        let response = await (try SampleService.make()).send(method, "Parts/$query")
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == "POST, OPTIONS")
    }

    /// A document of version 4.01 states 4.0 in an answer of that version (OData CSDL XML 4.01 § 3.1).
    @Test(arguments: ["xml", "json"])
    func statesTheVersionOfTheAnswerInMetadata(form: String) async throws {
        let text = String(decoding: FieldServiceMetadata.v1, as: UTF8.self)
        let metadata = text.replacing("Version=\"4.0\"", with: "Version=\"4.01\"")
        let service = try await TestService(metadata: Array(metadata.utf8))
        let new = await service.get("$metadata?$format=\(form)", ["OData-MaxVersion": "4.01"])
        let old = await service.get("$metadata?$format=\(form)", ["OData-MaxVersion": "4.0"])
        let stated = form == "xml" ? "Version=\"4.01\"" : "\"$Version\":\"4.01\""
        #expect(new.text.contains(stated), "\(new.text.prefix(200))")
        #expect(old.text == new.text.replacing(stated, with: stated.replacing("4.01", with: "4.0")))
        #expect(old.headers["ETag"] != new.headers["ETag"])
    }
}
