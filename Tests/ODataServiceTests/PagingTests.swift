import ODataText
import ODataHTTP
import Testing

@testable import ODataAnswers
import ODataService

@Suite struct PagingTests {
    /// Reads all pages and answers the names on each.
    private func pages(_ service: TestService, _ url: String, _ headers: HTTPHeaders = [:])
        async throws -> [[String]]
    {
        var pages: [[String]] = []
        var next: String? = url
        while let url = next, pages.count < 100 {
            let response = await service.get(url, headers)
            try #require(response.status == 200, "\(response.text)")
            let tree = try #require(JSONTree(response.body))
            guard let items = tree.member("value")?.items else { return pages }
            pages.append(items.compactMap { tree.string("Name", of: $0) })
            next = tree.string("@odata.nextLink").map(TestService.relative)
        }
        return pages
    }

    private func service(pageSize: Int?) async throws -> TestService {
        var options = StandaloneOptions()
        options.service.pageSize = pageSize
        let service = try await SampleService.make(options)
        for (number, name) in [("P3", "Bolt"), ("P4", "Pin"), ("P5", "Cog")] {
            _ = await service.send(
                "POST",
                "Parts",
                [:],
                #"{"Number":"\#(number)","Name":"\#(name)","UnitPrice":1,"InStock":1}"#
            )
        }
        return service
    }

    @Test func pagesByTheServicesSize() async throws {
        let service = try await service(pageSize: 2)
        #expect(try await pages(service, "Parts") == [["Bolt", "Nut"], ["Bolt", "Pin"], ["Cog"]])
        #expect(
            try await pages(service, "Parts?$orderby=Name desc") == [
                ["Pin", "Nut"], ["Cog", "Bolt"], ["Bolt"],
            ]
        )
        #expect(try await pages(service, "Parts?$top=3") == [["Bolt", "Nut"], ["Bolt"]])
        #expect(try await pages(service, "Parts?$top=2") == [["Bolt", "Nut"]])
        #expect(try await pages(service, "Parts?$skip=1&$top=3") == [["Nut", "Bolt"], ["Pin"]])
        #expect(
            try await pages(service, "Parts?$filter=InStock eq 1") == [["Bolt", "Pin"], ["Cog"]]
        )
    }

    @Test func pagesByTheClientsSize() async throws {
        let service = try await service(pageSize: nil)
        for name in ["maxpagesize", "odata.maxpagesize"] {
            for version in ["4.0", "4.01"] {
                let headers: HTTPHeaders = ["Prefer": name + "=3", "OData-MaxVersion": version]
                let response = await service.get("Parts", headers)
                #expect(response.headers["Preference-Applied"] == name + "=3")
            }
        }
        let headers: HTTPHeaders = ["Prefer": "odata.maxpagesize=3"]
        #expect(
            try await pages(service, "Parts", headers) == [
                ["Bolt", "Nut", "Bolt"], ["Pin", "Cog"],
            ]
        )
    }

    /// What is stated is what was applied: here the size that the service is set to.
    @Test func statesThePageSizeThatIsApplied() async throws {
        let service = try await service(pageSize: 2)
        let response = await service.get("Parts", ["Prefer": "odata.maxpagesize=100"])
        #expect(response.headers["Preference-Applied"] == "odata.maxpagesize=2")
    }

    @Test func rowsThatStayComeExactlyOnceWhileOthersCome() async throws {
        let service = try await service(pageSize: 2)
        let first = await service.get("Parts")
        _ = await service.send("DELETE", "Parts('P2')")
        _ = await service.send(
            "POST",
            "Parts",
            [:],
            #"{"Number":"P0","Name":"Early","UnitPrice":1,"InStock":1}"#
        )
        let next = try #require(JSONTree(first.body)?.string("@odata.nextLink"))
        #expect(
            try await pages(service, TestService.relative(next)) == [["Bolt", "Pin"], ["Cog"]]
        )
    }

    @Test func refusesTokensOfOtherRequests() async throws {
        let service = try await service(pageSize: 2)
        let next = try #require(
            JSONTree(await service.get("Parts").body)?.string("@odata.nextLink")
        )
        let token = next.split(separator: "=").last.map(String.init) ?? ""
        #expect(await service.get("Parts?$skiptoken=\(token)").status == 200)
        #expect(await service.get("Parts?$orderby=Name&$skiptoken=\(token)").status == 400)
        #expect(await service.get("Parts?$skiptoken=\(token.dropLast(1))").status == 400)
        #expect(await service.get("Parts?$skiptoken=A\(token.dropFirst(1))").status == 400)
    }
}
