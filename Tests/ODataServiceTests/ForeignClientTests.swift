import Foundation
import ODataHTTP
import Testing

import ODataAnswers
@testable import ODataService

/// What clients send that were written for other services.
@Suite struct ForeignClientTests {
    // MARK: Queries encoded as web forms

    @Test(arguments: [
        "Parts?$filter=Name+eq+'Bolt'&$select=Name", "Parts?$orderby=Name+desc&$top=1&$skip=1",
        "Parts?%24filter=Name+eq+%27Bolt%27",
    ])
    func readsPlusAsSpaceWhereItIsNoPlus(url: String) async throws {
        let response = await (try SampleService.make()).get(url)
        #expect(response.status == 200)
        #expect(response.text.contains("Bolt") && !response.text.contains("Nut"))
    }

    @Test(arguments: [
        // The plus sign of a URL that is no form is a plus sign.
        "Parts?$filter=Name%20eq%20'a+b'", "Parts?$filter=contains(Name,'a+b')",
        // That of a form is encoded.
        "Parts?$filter=Name+eq+'a%2Bb'",
    ])
    func keepsPlusSignsInTexts(url: String) async throws {
        let service = try await SampleService.make()
        _ = await service.send("PATCH", "Parts('P2')", [:], #"{"Name":"a+b"}"#)
        #expect(await service.get(url).text.contains("P2"))
    }

    @Test func namesThePlusSignOfABrokenQuery() async throws {
        let response = await (try SampleService.make()).get("Parts?$filter=Name+eq%20'a'")
        #expect(response.status == 400)
        #expect(response.text.contains("write %20 for a space"))
    }

    /// A form that is wrong for another reason is refused for that.
    @Test(arguments: [
        ("Parts?$filter=Nope+eq+1", 400, "has no Nope, at offset 14"),
        ("Parts?$filter=Name+eq+Nope+or+true", 400, "has no Nope, at offset 22"),
        ("Parts?$orderby=Name+upward", 400, "at offset 20"),
    ])
    func saysWhatIsWrongWithAForm(url: String, status: Int, message: String) async throws {
        let response = await (try SampleService.make()).get(url)
        #expect(response.status == status)
        #expect(response.text.contains(message), "\(response.text)")
        #expect(!response.text.contains("write %20"), "\(response.text)")
    }

    // MARK: Names of system query options

    /// A service of version 4.01 takes both, whatever the client's version (OData 4.01 Part 1 § 12.2.1, items 6, 7 and 9).
    @Test(arguments: ["filter", "$Filter", "FILTER"], ["4.0", "4.01"])
    func takesOptionsInAnyForm(name: String, version: String) async throws {
        let response = await (try SampleService.make()).get(
            "Parts?\(name)=Name%20eq%20'Bolt'",
            ["OData-MaxVersion": version]
        )
        #expect(response.text.contains("Bolt") && !response.text.contains("Nut"))
    }

    // MARK: Methods

    @Test(arguments: [
        ("", "GET, HEAD, OPTIONS"), ("$metadata", "GET, HEAD, OPTIONS"),
        ("$batch", "POST, OPTIONS"), ("Parts", "GET, HEAD, OPTIONS, POST"),
        ("Parts('P1')", "GET, HEAD, OPTIONS, PATCH, PUT, DELETE"),
        ("Parts('P1')/Name", "GET, HEAD, OPTIONS, PUT, PATCH, DELETE"),
        ("Parts('P1')/Icon", "GET, HEAD, OPTIONS, PUT, PATCH, DELETE"),
        ("Parts/$count", "GET, HEAD, OPTIONS"), ("Depot", "GET, HEAD, OPTIONS, PATCH, PUT"),
        ("WorkOrders(1)/Customer/$ref", "GET, HEAD, OPTIONS, PUT, DELETE"),
    ])
    func tellsTheMethodsOfAResource(url: String, methods: String) async throws {
        let response = await (try SampleService.make()).send("OPTIONS", url)
        #expect(response.status == 204)
        #expect(response.headers["Allow"] == methods)
    }

    @Test func refusesToDeleteASingletonThatIsAlwaysThere() async throws {
        let response = await (try SampleService.make()).send("DELETE", "Depot")
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS, PATCH, PUT")
    }

    /// What a refusal names is what OPTIONS names (RFC 9110 §§ 10.2.1, 15.5.6).
    @Test(arguments: [
        ("POST", ""), ("POST", "$metadata"), ("GET", "$batch"), ("PATCH", "Parts"),
        ("DELETE", "Parts"), ("POST", "Parts('P1')"), ("POST", "Parts('P1')/Name"),
        ("PUT", "Parts/$count"), ("DELETE", "Depot"), ("POST", "WorkOrders(1)/Customer/$ref"),
        ("PATCH", "WorkOrders(1)/Customer/$ref"), ("PUT", "Parts/$ref"),
        ("PATCH", "WorkOrders(1)/Tasks/$ref"),
    ])
    func refusesMethodsWithThoseOfOptions(method: String, url: String) async throws {
        let service = try await SampleService.make()
        let refused = await service.send(method, url, [:], method == "GET" ? nil : "{}")
        let asked = await service.send("OPTIONS", url)
        #expect(refused.status == 405, "\(refused.text)")
        #expect(refused.headers["Allow"] == asked.headers["Allow"])
        let allowed = asked.headers["Allow"]?.components(separatedBy: ", ") ?? []
        #expect(allowed.contains("OPTIONS") && !allowed.contains(method))
    }

    @Test(arguments: [("GET", "Close", "POST, OPTIONS"), ("POST", "Open()", "GET, HEAD, OPTIONS")])
    func namesTheMethodOfAnOperation(method: String, url: String, allowed: String) async throws {
        let service = try await TestService(metadata: Array(Self.operations.utf8))
        let response = await service.send(method, url, [:], method == "GET" ? nil : "{}")
        #expect(response.status == 405, "\(response.text)")
        #expect(response.headers["Allow"] == allowed)
    }

    private static let operations = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <Action Name="Close"/><Function Name="Open"><ReturnType Type="Edm.Int32"/></Function>
        <EntityContainer Name="C"><ActionImport Name="Close" Action="S.Close"/>
        <FunctionImport Name="Open" Function="S.Open"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    // MARK: Preconditions and bodies

    @Test func checksIfMatchOfReading() async throws {
        let service = try await SampleService.make()
        let etag = try #require(await service.get("Parts('P1')").headers["ETag"])
        #expect(await service.get("Parts('P1')", ["If-Match": etag]).status == 200)
        #expect(await service.get("Parts('P1')", ["If-Match": "*"]).status == 200)
        #expect(await service.get("Parts('P1')", ["If-Match": "W/\"0\""]).status == 412)
    }

    @Test func answersReferencesWithoutExpansion() async throws {
        let service = try await SampleService.make()
        for option in ["expand=Customer", "select=Title", "compute=ID%20add%201%20as%20N"] {
            let response = await service.get("WorkOrders/$ref?$" + option)
            #expect(response.status == 400, "\(response.text)")
        }
        #expect(await service.get("WorkOrders/$ref?$top=1").status == 200)
    }

    @Test(arguments: [
        ("POST", "Parts"), ("PATCH", "Parts('P1')"), ("PUT", "Parts('P1')"),
    ])
    func refusesABodyOfNoType(method: String, url: String) async throws {
        var options = StandaloneOptions()
        options.service.demandsContentType = true
        let service = try await SampleService.make(options)
        let response = await service.handler.respond(
            to: HTTPRequest(method: method, url: "/" + url, body: Array("{}".utf8))
        )
        #expect(response.status == 415)
        #expect(response.text.contains("Content-Type: application/json"))
    }
}
