import ODataHTTP
import Testing

@testable import ODataAnswers

@Suite struct NegotiationTests {
    @Test(arguments: [
        ("application/json", "application/json;odata.metadata=minimal"),
        ("*/*", "application/json;odata.metadata=minimal"),
        ("text/html, application/*;q=0.5", "application/json;odata.metadata=minimal"),
        ("application/json;odata.metadata=none", "application/json;odata.metadata=none"),
        ("application/json;metadata=none", "application/json;odata.metadata=none"),
        (
            "application/json;q=0.5, application/json;odata.metadata=full;q=0.9",
            "application/json;odata.metadata=full"
        ),
        (
            "application/json;odata.metadata=minimal;IEEE754Compatible=true",
            "application/json;odata.metadata=minimal;IEEE754Compatible=true"
        ),
        (
            "application/json;odata.streaming=true;charset=utf-8",
            "application/json;odata.metadata=minimal;odata.streaming=true"
        ),
        ("application/json;streaming=false", "application/json;odata.metadata=minimal"),
    ])
    func answersWhatIsAccepted(accept: String, type: String) async throws {
        let response = await (try SampleService.make()).get("Parts", ["Accept": accept])
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == type)
    }

    /// OData JSON 4.01 §§ 3.1, 4.4: without the prefix of version 4.0, in errors too.
    @Test(arguments: [
        (
            "Parts", "application/json;streaming=true",
            "application/json;metadata=minimal;streaming=true"
        ),
        ("Nope", "application/json", "application/json;metadata=minimal"),
        ("Parts", "application/xml", "application/json;metadata=minimal"),
    ])
    func writesParametersAsVersion401Does(url: String, accept: String, type: String) async throws {
        let headers: HTTPHeaders = ["Accept": accept, "OData-MaxVersion": "4.01"]
        let response = await (try SampleService.make()).get(url, headers)
        #expect(response.headers["Content-Type"] == type)
    }

    @Test func writesErrorsAsVersion40Does() async throws {
        let response = await (try SampleService.make()).get("Nope", ["OData-MaxVersion": "4.0"])
        #expect(response.headers["Content-Type"] == "application/json;odata.metadata=minimal")
    }

    @Test(arguments: [
        "application/xml", "text/plain", "application/json;q=0",
        "application/json;odata.metadata=x",
    ])
    func refusesWhatItCannotWrite(accept: String) async throws {
        #expect(await (try SampleService.make()).get("Parts", ["Accept": accept]).status == 406)
    }

    @Test func formatOptionWinsOverAccept() async throws {
        let response = await (try SampleService.make()).get(
            "Parts?$format=application/json;odata.metadata=none&$select=Name",
            ["Accept": "application/xml"]
        )
        #expect(
            response.text
                == #"{"value":[{"Number":"P1","Name":"Bolt"},{"Number":"P2","Name":"Nut"}]}"#
        )
    }

    @Test func writesLargeNumbersAsStringsWhereAsked() async throws {
        let response = await (try SampleService.make()).get(
            "Parts?$select=Barcode,UnitPrice&$top=1&$count=true",
            ["Accept": "application/json;odata.metadata=none;IEEE754Compatible=true"]
        )
        #expect(
            response.text
                == #"{"@odata.count":"2","value":[{"Number":"P1","UnitPrice":"0.10","Barcode":"9007199254740993"}]}"#
        )
    }

    @Test(arguments: [(nil, "4.0"), ("4.0", "4.0"), ("4.01", "4.01"), ("9.9", "4.01")])
    func answersTheVersionAskedFor(maximum: String?, version: String) async throws {
        var headers: HTTPHeaders = [:]
        headers["OData-MaxVersion"] = maximum
        let response = await (try SampleService.make()).get("Parts", headers)
        #expect(response.headers["OData-Version"] == version)
    }

    @Test(arguments: [
        ("OData-MaxVersion", "3.0", 406), ("OData-MaxVersion", "x", 400),
        ("OData-Version", "2.0", 400),
    ])
    func refusesOtherVersions(name: String, value: String, status: Int) async throws {
        var headers: HTTPHeaders = [:]
        headers[name] = value
        #expect(await (try SampleService.make()).get("Parts", headers).status == status)
    }

    @Test func refusesSnapshotIsolation() async throws {
        #expect(
            await (try SampleService.make()).get("Parts", ["OData-Isolation": "snapshot"]).status
                == 412
        )
    }
}
