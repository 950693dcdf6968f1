import OfflineOData
import ODataHTTP
import Testing

/// Every request of a run, with its header fields: nothing is asked that is not needed.
@Suite struct RequestListTests {
    /// A request as method, URL below the root, and its fields in order of name.
    private func lines(_ service: RecordedService) -> [String] {
        service.log.map { request in
            let fields = request.headers.fields
                .map { "\($0.name): \($0.value.prefix { $0 != "=" })" }.sorted()
            return "\(request.method) \(request.url.dropFirst(service.root.count)) | "
                + fields.joined(separator: "; ")
        }
    }

    @Test func asksForNoMoreThanIsNeeded() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a"}],"@odata.nextLink":"Orders?p=2"}"#
            )
        )
        service.set(
            "GET Orders?p=2",
            RecordedService.json(#"{"value":[{"ID":2}],"@odata.deltaLink":"Orders?d=1"}"#)
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        let provider = try await service.opened(["Orders"])
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        let part =
            "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--r--"
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(part.utf8)
            )
        )
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"a"}"#))
        try await provider.upload()
        try await provider.upload()
        try await provider.download()
        let page = "Accept: application/json; OData-MaxVersion: 4.01; Prefer: odata.track-changes"
        #expect(
            lines(service) == [
                "GET $metadata | Accept: application/xml; OData-MaxVersion: 4.01",
                "GET Orders | \(page)",
                "GET Orders?p=2 | \(page)",
                // Once for each set of which no ETag was ever stated.
                "GET Orders(1) | Accept: application/json; OData-MaxVersion: 4.01",
                "POST $batch | Accept: multipart/mixed; Content-Type: multipart/mixed; boundary; "
                    + "OData-MaxVersion: 4.01; OData-Version: 4.0; Prefer: odata.continue-on-error",
                "GET $metadata | Accept: application/xml; OData-MaxVersion: 4.01",
                "GET Orders?d=1 | \(page)",
            ]
        )
        let body = try #require(service.bodies(of: "POST $batch").first)
        let head = try #require(body.firstRange(of: "PATCH"))
        let message = body[head.lowerBound...].prefix(while: { $0 != "{" })
            .split(whereSeparator: \.isNewline).sorted()
        #expect(
            message == [
                "Accept: application/json", "Content-Length: 13",
                "Content-Type: application/json", "If-Match: *", "OData-Version: 4.0",
                "PATCH Orders(1) HTTP/1.1", "Prefer: return=representation",
            ]
        )
    }

    @Test(arguments: [true, false])
    func comparesKeysWhereNoDeletionWasEverTold(_ isWanted: Bool) async throws {
        let service = try RecordedService(metadata: ShopModel.v2)
        service.set(
            "GET Items?$filter=ID gt 0L&$orderby=Name",
            RecordedService.json(
                #"{"d":{"results":[{"ID":"1","Name":"a"},{"ID":"2","Name":"b"}],"__delta":"Items?!deltatoken='1'"}}"#
            )
        )
        service.set(
            "GET Items?$filter=ID%20gt%200L&$orderby=Name",
            RecordedService.json(
                #"{"d":{"results":[{"ID":"1","Name":"a"},{"ID":"2","Name":"b"}],"__delta":"Items?!deltatoken='1'"}}"#
            )
        )
        service.set(
            "GET Items?!deltatoken='1'",
            RecordedService.json(
                #"{"d":{"results":[{"ID":"1","Name":"c"}],"__delta":"Items?!deltatoken='2'"}}"#
            )
        )
        let keys = "GET Items?$filter=ID%20gt%200L&$select=ID"
        service.set(keys, RecordedService.json(#"{"d":{"results":[{"ID":"1"}]}}"#))
        let provider = try await service.opened(["Items?$filter=ID gt 0L&$orderby=Name"]) {
            $0.comparesKeysAfterDeltas = isWanted
        }
        service.clearLog()
        try await provider.download()
        #expect(
            service.requests == ["GET $metadata", "GET Items?!deltatoken='1'"]
                + (isWanted ? [keys] : [])
        )
        let names = try await provider.executeQuery("Items?$orderby=ID")
            .map { $0["Name"]?.stringValue }
        #expect(names == (isWanted ? ["c"] : ["c", "b"]))
        // The next delta goes on from the last one.
        service.set(
            "GET Items?!deltatoken='2'",
            RecordedService.json(#"{"d":{"results":[],"__delta":"Items?!deltatoken='2'"}}"#)
        )
        try await provider.download()
        #expect(service.requests.contains("GET Items?!deltatoken='2'"))
    }

    @Test func followsADeltaOfVersion2() async throws {
        let service = try RecordedService(metadata: ShopModel.v2)
        service.set(
            "GET Items",
            RecordedService.json(
                #"{"d":{"results":[{"ID":"1","Name":"a"},{"ID":"2","Name":"b"}],"__delta":"Items?!deltatoken='1'"}}"#
            )
        )
        let changes = #"""
            {"d":{"results":[{"ID":"1","Name":"c"},{"ID":"3","Name":"d"},
            {"@odata.context":"$metadata#Items/$deletedEntity","id":"http://service.test/odata/Items(2L)"}],
            "__delta":"http://service.test/odata/Items?!deltatoken='2'"}}
            """#
        service.set("GET Items?!deltatoken='1'", RecordedService.json(changes))
        let provider = try await service.opened(["Items"])
        try await provider.download()
        let items = try await provider.executeQuery("Items?$orderby=ID")
        #expect(items.map { $0["Name"]?.stringValue } == ["c", "d"])
        service.clearLog()
        service.set(
            "GET Items?!deltatoken='2'",
            RecordedService.json(#"{"d":{"results":[],"__delta":"Items?!deltatoken='3'"}}"#)
        )
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Items?!deltatoken='2'"])
        #expect(
            service.log.last?.headers.fields.map(\.name).sorted() == [
                "Accept", "MaxDataServiceVersion",
            ]
        )
    }
}
