import OfflineOData
import ODataHTTP
import Testing

/// Habits of services that others have written, byte by byte: all of them are allowed, or common enough.
@Suite struct ForeignServiceTests {
    private static let root = "http://service.test/odata/"

    private func keys(_ provider: OfflineODataProvider, _ query: String) async throws -> [Int64] {
        try await provider.executeQuery(query).compactMap { $0["ID"]?.integerValue }.sorted()
    }

    // MARK: Reading

    /// Links to the next page as services write them, and what is asked for.
    @Test(arguments: [
        ("http://service.test/odata/Orders?$skiptoken=2", "Orders?$skiptoken=2"),
        ("HTTP://Service.TEST:80/odata/Orders?$skiptoken=2", "Orders?$skiptoken=2"),
        ("Orders?$skiptoken=2", "Orders?$skiptoken=2"),
        ("/odata/Orders?$skiptoken=2", "Orders?$skiptoken=2"),
        ("//service.test/odata/Orders?$skiptoken=2", "Orders?$skiptoken=2"),
        ("./Orders?$skiptoken=2", "Orders?$skiptoken=2"),
        ("../odata/Orders?$skiptoken=2", "Orders?$skiptoken=2"),
        ("?$skiptoken=2", "Orders?$skiptoken=2"),
        (#"http:\/\/service.test\/odata\/Orders?$skiptoken=2"#, "Orders?$skiptoken=2"),
        (#"Orders?$top=1\u0026$skiptoken=2"#, "Orders?$top=1&$skiptoken=2"),
        ("Orders?%24skiptoken='a%20b%2Fc%27'", "Orders?%24skiptoken='a%20b%2Fc%27'"),
        ("Orders?$skiptoken='a b'", "Orders?$skiptoken='a%20b'"),
        ("Orders?$skiptoken='a+b'", "Orders?$skiptoken='a+b'"),
        (
            "Orders?$filter=At gt 2024-01-01T10:00:00Z",
            "Orders?$filter=At%20gt%202024-01-01T10:00:00Z"
        ),
        ("Orders?$skiptoken='ü'", "Orders?$skiptoken='%C3%BC'"),
    ])
    func followsNextLinks(_ link: String, _ asked: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[{\"ID\":1}],\"@odata.nextLink\":\"\(link)\"}")
        )
        service.set("GET \(asked)", RecordedService.json(#"{"value":[{"ID":2}]}"#))
        let provider = try await service.opened(["Orders"])
        #expect(try await keys(provider, "Orders") == [1, 2])
        // Asked for once, ahead or not.
        #expect(service.requests == ["GET $metadata", "GET Orders", "GET \(asked)"])
    }

    @Test(arguments: [
        "http://service.test.evil/odata/Orders", "http://evil@service.test/odata/Orders",
        "https://other.test/odata/Orders", "http://service.test:81/odata/Orders",
        "//evil.test/odata/Orders", "ftp://service.test/odata/Orders", "file:/etc/passwd",
        #"http:\\/\\/evil.test\\/odata"#,
    ])
    func leavesNoOrigin(_ link: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[{\"ID\":1}],\"@odata.nextLink\":\"\(link)\"}")
        )
        _ = try? await service.opened(["Orders"])
        #expect(service.log.allSatisfy { $0.url.hasPrefix(Self.root) })
        #expect(service.requests.prefix(2) == ["GET $metadata", "GET Orders"])
    }

    @Test func followsALinkOfAServiceThatDoesNotKnowOfTLS() async throws {
        let service = try RecordedService(
            metadata: ShopModel.v4(),
            root: "https://service.test/odata/"
        )
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1}],"@odata.nextLink":"http://service.test/odata/Orders?p=2"}"#
            )
        )
        service.set("GET Orders?p=2", RecordedService.json(#"{"value":[{"ID":2}]}"#))
        let provider = try await service.opened(["Orders"])
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(service.log.allSatisfy { $0.url.hasPrefix("https://") })
    }

    @Test func takesALinkFromWhereTheContextStands() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set(
            "GET Orders(1)/Items",
            RecordedService.json(
                #"{"@odata.context":"../$metadata#Items","value":[{"ID":10}],"@odata.nextLink":"Orders(1)/Items?$skip=1"}"#
            )
        )
        service.set("GET Orders(1)/Items?$skip=1", RecordedService.json(#"{"value":[{"ID":11}]}"#))
        let provider = try await service.opened(["Orders", "Orders(1)/Items"])
        #expect(try await keys(provider, "Items") == [10, 11])
    }

    /// Pages of version 4 as services write them.
    @Test(arguments: [
        #"{"value":[{"ID":1,"Title":"a"},{"ID":2}]}"#,
        "\u{FEFF}{\"value\":[{\"ID\":1,\"Title\":\"a\"},{\"ID\":2}]}",
        "\r\n {\r\n\t\"@odata.context\" : \"$metadata#Orders\" , \"value\" : [ {\"ID\" : 1,\"Title\":\"a\"} , {\"ID\":2} ] }\r\n\r\n",
        #"{"@odata.context":"http://inner:8080/x/$metadata#Orders","@odata.count":"2","value":[{"ID":1,"Title":"a"},{"ID":2}]}"#,
        #"{"@context":"$metadata#Orders","@count":2,"value":[{"@id":"Orders(1)","ID":1,"Title":"a"},{"ID":2}]}"#,
        ##"{"@odata.context":"$metadata#Orders","@odata.metadataEtag":"W/\"x\"","@SAP.messages":[],"value":[{"@odata.type":"#Shop.Order","@odata.id":"Orders(1)","@odata.editLink":"Orders(1)","ID@odata.type":"#Int32","ID":1,"Title":"a","Items@odata.navigationLink":"Orders(1)/Items","Items@odata.associationLink":"Orders(1)/Items/$ref","#Shop.Approve":{"title":"Approve","target":"Orders(1)/Shop.Approve"}},{"ID":2}]}"##,
        #"{"value":[{"Title":"a","ID":1,"Items":[]},{"ID":2,"Items":null}]}"#,
    ])
    func readsPages(_ body: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            HTTPResponse(
                status: 200,
                headers: [
                    "content-type":
                        "application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8"
                ],
                body: Array(body.utf8)
            )
        )
        let provider = try await service.opened(["Orders"])
        #expect(try await keys(provider, "Orders") == [1, 2])
        #expect(
            try await provider.executeQuery("Orders(1)").first?["Title"]?.stringValue == "a"
        )
    }

    /// Pages of version 2 as services write them.
    @Test(arguments: [
        #"{"d":{"results":[{"ID":"1","Name":"a"}],"__count":"1"}}"#,
        #"{"d":[{"ID":"1","Name":"a"}]}"#,
        #"{"d":{"__count":"1","results":[{"__metadata":{"id":"http://h/Items(1L)","uri":"http://h/Items(1L)","type":"Shop.Item"},"ID":"1","Name":"a","Order":{"__deferred":{"uri":"http://h/Items(1L)/Order"}}}]}}"#,
        #"{ "d" : { "results": [ { "__metadata": { "uri": "http:\/\/h\/Items(1L)" }, "ID": 1, "Name": "a" } ] } }"#,
        #"{"value":[{"ID":"1","Name":"a"}]}"#,
    ])
    func readsPagesOfVersion2(_ body: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v2)
        service.set("GET Items", RecordedService.json(body))
        let provider = try await service.opened(["Items"])
        #expect(try await keys(provider, "Items") == [1])
        #expect(try await provider.executeQuery("Items").first?["Name"]?.stringValue == "a")
    }

    /// Some services of version 2 put a link behind every page, the last one included.
    @Test func endsAChainOfEmptyPagesOfVersion2() async throws {
        let service = try RecordedService(metadata: ShopModel.v2)
        func page(_ rows: String, _ next: Int) -> HTTPResponse {
            let link = Self.root + "Items?$skiptoken=\(next)"
            return RecordedService.json(
                "{\"d\":{\"results\":[\(rows)],\"__next\":{\"uri\":\"\(link)\"}}}"
            )
        }
        service.set("GET Items", page(#"{"ID":"1"}"#, 1))
        // Some in between are no end.
        service.set("GET Items?$skiptoken=1", page("", 2))
        service.set("GET Items?$skiptoken=2", page(#"{"ID":"2"}"#, 3))
        for number in 3..<110 {
            service.set("GET Items?$skiptoken=\(number)", page("", number + 1))
        }
        let provider = try await service.opened(["Items"])
        #expect(try await keys(provider, "Items") == [1, 2])
        let remarks = try await provider.download().queries.flatMap(\.remarks)
        #expect(remarks.contains { $0.contains("100 pages without entities in a row") })
        #expect(try await keys(provider, "Items") == [1, 2])
        // What does not come in such a chain may still be there.
        service.set("GET Items?$skiptoken=2", page("", 3))
        try await provider.download()
        #expect(try await keys(provider, "Items") == [1, 2])
    }

    @Test(arguments: [301, 302, 307, 308])
    func followsARedirectOfReads(_ status: Int) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let document = HTTPResponse(status: 200, body: Array(ShopModel.v4().utf8))
        service.set("GET (S(x))/$metadata", document)
        service.set(
            "GET $metadata",
            HTTPResponse(status: status, headers: ["location": "(S(x))/$metadata"])
        )
        service.set(
            "GET Orders",
            HTTPResponse(status: status, headers: ["location": "/odata/(S(x))/Orders"])
        )
        service.set("GET (S(x))/Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        let provider = try await service.opened(["Orders"])
        #expect(try await keys(provider, "Orders") == [1])
    }

    @Test func goesWhereAServiceSaysThatThereIsMoreThanChanges() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1}],"@odata.deltaLink":"Orders?d=1"}"#)
        )
        let provider = try await service.opened(["Orders"])
        service.set(
            "GET Orders?d=1",
            HTTPResponse(status: 410, headers: ["Location": "/odata/Orders?$full=1"])
        )
        service.set(
            "GET Orders?$full=1",
            RecordedService.json(#"{"value":[{"ID":2}],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        service.clearLog()
        try await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders?d=1", "GET Orders?$full=1"])
        #expect(try await keys(provider, "Orders") == [2])
    }

    // MARK: Writing

    private func changed(_ metadata: String = ShopModel.v4()) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: metadata)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"@odata.etag":"W/\"1\"","ID":1,"Title":"a"}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 2, "Title": "new"])
        )
        return (service, provider)
    }

    private static let created = #"{"@odata.etag":"W/\"5\"","ID":2,"Title":"new"}"#

    /// Answers to a batch of an update and a creation, as services write them.
    @Test(arguments: [
        // With CR LF and everything in its place.
        (
            "multipart/mixed; boundary=b", 200,
            "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: 1\r\n\r\nHTTP/1.1 204 No Content\r\nETag: W/\"2\"\r\nOData-Version: 4.0\r\n\r\n\r\n--b\r\nContent-Type: application/http\r\nContent-ID: 2\r\n\r\nHTTP/1.1 201 Created\r\nContent-Type: application/json;odata.metadata=minimal\r\nLocation: http://service.test/odata/Orders(2)\r\n\r\n\(created)\r\n--b--\r\n"
        ),
        // Nothing but LF, 202, header names in lower case, no reason phrase.
        (
            "Multipart/Mixed;Boundary=\"b\"", 202,
            "--b\ncontent-type: application/http\n\nHTTP/1.1 204\netag: W/\"2\"\n\n\n--b\ncontent-type: application/http\n\nHTTP/1.1 201\ncontent-type: application/json\n\n\(created)\n--b--\n"
        ),
        // A preamble, an epilogue, spaces behind the boundaries, quotes around a boundary with odd characters.
        (
            "multipart/mixed; charset=utf-8; boundary=\"b=_1:2\"", 200,
            "This is a multipart message.\r\n--b=_1:2  \r\nContent-Type: application/http; msgtype=response\r\n\r\nHTTP/1.1 204 No Content\r\nETag: W/\"2\"\r\nContent-Length: 0\r\n\r\n\r\n--b=_1:2\t\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: \(created.utf8.count)\r\n\r\n\(created)\r\n--b=_1:2--\r\nThe end.\r\n"
        ),
        // A blank line before the first boundary, 200 in place of 201 and 204.
        (
            "multipart/mixed; boundary=b", 200,
            "\r\n\r\n--b\r\nContent-Type: application/http\r\nContent-Length: 999\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"@odata.context\":\"http://inner/$metadata#Orders/$entity\",\"@odata.etag\":\"W/\\\"2\\\"\",\"ID\":1,\"Title\":\"b\"}\r\n--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\(created)\r\n--b--"
        ),
        // 204 to a creation, with the entity's id.
        (
            "multipart/mixed; boundary=b", 200,
            "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\nETag: W/\"2\"\r\n\r\n\r\n--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\nETag: W/\"5\"\r\nOData-EntityId: http://service.test/odata/Orders(2)\r\n\r\n\r\n--b--"
        ),
        // HTTP/2 in the inner status line, and no blank line where there is no body.
        (
            "multipart/mixed; boundary=b", 200,
            "--b\r\nContent-Type: application/http\r\n\r\nHTTP/2 204\r\nETag: W/\"2\"\r\n\r\n--b\r\nContent-Type: application/http\r\n\r\nHTTP/2 201\r\nContent-Type: application/json\r\n\r\n\(created)\r\n--b--"
        ),
    ])
    func readsAnswersToABatch(_ type: String, _ status: Int, _ body: String) async throws {
        let (service, provider) = try await changed()
        service.set(
            "POST $batch",
            HTTPResponse(
                status: status,
                headers: ["content-type": type],
                body: Array(body.utf8)
            )
        )
        service.clearLog()
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount, result.unknownCount] == [2, 0, 0])
        #expect(service.requests == ["POST $batch"])
        let orders = try await provider.executeQuery("Orders?$orderby=ID")
        #expect(orders.map(\.etag) == ["W/\"2\"", "W/\"5\""])
        #expect(orders.map { $0["ID"]?.integerValue } == [1, 2])
    }

    @Test func sendsABatchInJSON() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        let provider = try await service.opened(["Orders"]) { $0.uploadBatchFormat = .json }
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 2, "Title": "new"])
        )
        // In another order than they were asked.
        let answer = """
            {"responses":[{"id":"2","status":201,"headers":{"content-type":"application/json"},"body":\(Self.created)},
            {"id":"1","status":404,"body":{"error":{"code":"N","message":"no such order"}}}]}
            """
        service.set("POST $batch", RecordedService.json(answer))
        service.clearLog()
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [1, 1])
        #expect(try await provider.errorArchive().map(\.url) == ["Orders(1)"])
        let request = try #require(
            service.log.first { $0.url == "$batch" || $0.url.hasSuffix("$batch") }
        )
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["OData-Version"] == "4.01")
        #expect(request.headers["Prefer"] == "continue-on-error")
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.hasPrefix(#"{"requests":[{"id":"1","method":"patch","url":"Orders(1)""#))
        #expect(body.contains(#""body":{"Title":"b"}"#))
        #expect(body.contains(#"{"id":"2","method":"post","url":"Orders""#))
    }

    /// What was created inline comes with the next download, also where neither the answer nor a delta shows it.
    @Test(arguments: [
        (#"{"ID":2,"Title":"deep"}"#, "GET Orders?$expand=Items"),
        (#"{"ID":2,"Title":"deep","Items":[{"ID":20}]}"#, "GET Orders?d=1"),
    ])
    func readsInFullWhatADeltaMayLeaveOut(answer: String, asked: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let url = "GET Orders?$expand=Items"
        let link = #""@odata.deltaLink":"Orders?d=1""#
        service.set(url, RecordedService.json(#"{"value":[{"ID":1,"Items":[]}],\#(link)}"#))
        let provider = try await service.opened(["Orders?$expand=Items"])
        try await provider.createEntity(
            EntityValue(
                entitySet: "Orders",
                ["Title": "deep", "Items": .collection([.object([("Name", "bolt")])])]
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", RecordedService.json(answer, status: 201))
        try await provider.upload()
        let order = #"{"ID":2,"Title":"deep","Items":[{"ID":20}]}"#
        service.set(
            url,
            RecordedService.json(#"{"value":[{"ID":1,"Items":[]},\#(order)],\#(link)}"#)
        )
        service.set("GET Orders?d=1", RecordedService.json(#"{"value":[\#(order)],\#(link)}"#))
        try await provider.download()
        #expect(service.requests.last == asked)
        #expect(try await keys(provider, "Orders(2)/Items") == [20])
        #expect(try await keys(provider, "Items") == [20])
    }

    /// Answers of services that know no batch; a refusal for another reason leaves the change waiting.
    @Test(arguments: [400, 404, 405, 406, 415, 501])
    func sendsOneByOneWhereThereIsNoBatch(status: Int) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        let provider = try await service.opened(["Orders"])
        for order in try await provider.executeQuery("Orders") {
            try await provider.deleteEntity(order)
        }
        service.set("POST $batch", HTTPResponse(status: status))
        // No ETag was ever stated: a read of one of them says that there is none.
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1}"#))
        service.set("DELETE Orders(1)", HTTPResponse(status: 204))
        service.set("DELETE Orders(2)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 2)
        #expect(service.requests.suffix(2) == ["DELETE Orders(1)", "DELETE Orders(2)"])
    }

    /// Some services refuse a whole batch for one request in it: that one goes alone, the others do not suffer.
    @Test func findsTheRequestThatSpoilsABatch() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1},{"ID":2},{"ID":3},{"ID":4}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        for order in try await provider.executeQuery("Orders?$orderby=ID") {
            try await provider.deleteEntity(order)
        }
        let bad = HTTPResponse(status: 400)
        let one = Self.batch(of: 1)
        service.set("POST $batch", bad, Self.batch(of: 2), bad, bad, one)
        service.set("DELETE Orders(3)", HTTPResponse(status: 400))
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [3, 1])
        #expect(
            service.bodies(of: "POST $batch").map { body in
                (1...4).filter { body.contains("DELETE Orders(\($0))") }
            } == [[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]
        )
        #expect(try await provider.errorArchive().map(\.url) == ["Orders(3)"])
    }

    /// A change set that the service cannot read is not taken apart; a person decides.
    @Test func doesNotTakeAChangeSetApart() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        let provider = try await service.opened(["Orders"])
        for order in try await provider.executeQuery("Orders") {
            let options = OfflineODataRequestOptions()
            options.transactionID = "both"
            try await provider.deleteEntity(order, options: options)
        }
        service.set("POST $batch", HTTPResponse(status: 400))
        #expect(try await provider.upload().refusedRequestIDs == [1, 2])
        #expect(service.requests.last == "POST $batch")
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [400, 400])
    }

    private static func batch(of count: Int) -> HTTPResponse {
        let part =
            "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n"
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=b"],
            body: Array((String(repeating: part, count: count) + "--b--").utf8)
        )
    }

    @Test func keepsWhatWaitsWhereABatchIsForbidden() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        let provider = try await service.opened(["Orders"])
        try await provider.deleteEntity(
            try #require(try await provider.executeQuery("Orders(1)").first)
        )
        service.set("POST $batch", HTTPResponse(status: 403))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(service.requests.last == "POST $batch")
        #expect(try await provider.hasPendingUpload())
    }

    @Test func fallsBackToMultipart() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        let provider = try await service.opened(["Orders"]) { $0.uploadBatchFormat = .json }
        try await provider.deleteEntity(
            try #require(try await provider.executeQuery("Orders(1)").first)
        )
        let part =
            "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--b--"
        service.set(
            "POST $batch",
            HTTPResponse(status: 415),
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=b"],
                body: Array(part.utf8)
            )
        )
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.bodies(of: "POST $batch").count == 2)
    }

    /// Answers to single requests where there is no batch.
    @Test(arguments: [
        (HTTPResponse(status: 204), RecordedService.json(created, status: 201)),
        (
            RecordedService.json(#"{"ID":1,"Title":"b"}"#),
            RecordedService.json(created, status: 200)
        ),
        (
            HTTPResponse(status: 200),
            HTTPResponse(
                status: 201,
                headers: ["location": "http://service.test/odata/Orders(2)"]
            )
        ),
        (
            HTTPResponse(status: 202),
            HTTPResponse(status: 204, headers: ["odata-entityid": "Orders(2)"])
        ),
        (
            HTTPResponse(status: 204, headers: ["Preference-Applied": "return=minimal"]),
            HTTPResponse(
                status: 201,
                headers: ["Content-Type": "text/html"],
                body: Array("<p>done</p>".utf8)
            )
        ),
    ])
    func readsAnswersToSingleRequests(_ update: HTTPResponse, _ create: HTTPResponse) async throws {
        let (service, provider) = try await changed()
        service.set("POST $batch", HTTPResponse(status: 501))
        service.set("PATCH Orders(1)", update)
        // What was accepted only is looked for.
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"b"}"#))
        service.set("POST Orders", create)
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount, result.unknownCount] == [2, 0, 0])
        #expect(try await keys(provider, "Orders") == [1, 2])
    }

    /// Errors in the forms in which services write them.
    @Test(arguments: [
        (#"{"error":{"code":"X","message":"too late"}}"#, "application/json"),
        (#"{"error":{"code":"X","message":{"lang":"en","value":"too late"}}}"#, "application/json"),
        (
            #"{"odata.error":{"code":"X","message":{"lang":"en","value":"too late"}}}"#,
            "application/json"
        ),
        (
            #"{"error":{"code":"X","message":"too late","details":[{"code":"Y","message":"too late"}],"innererror":{"errordetails":[]}}}"#,
            "application/json; charset=utf-8"
        ),
        (
            "<?xml version=\"1.0\"?><error xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><code>X</code><message xml:lang=\"en\">too late</message></error>",
            "application/xml"
        ),
        (
            "<m:error xmlns:m=\"http://docs.oasis-open.org/odata/ns/metadata\"><m:code>X</m:code><m:message>too late</m:message></m:error>",
            "application/xml;charset=utf-8"
        ),
    ])
    func tellsWhatAServiceSaysOfAnError(_ body: String, _ type: String) async throws {
        let (service, provider) = try await changed()
        service.set(
            "POST Orders",
            HTTPResponse(status: 400, headers: ["Content-Type": type], body: Array(body.utf8))
        )
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        _ = try await provider.upload()
        let failure = try #require(try await provider.errorArchive().first?.failure)
        #expect(failure.code == "X")
        #expect(failure.message == "too late")
    }

    @Test func remembersThatRequestsMayBeRepeated() async throws {
        let (service, provider) = try await changed()
        service.set(
            "PATCH Orders(1)",
            HTTPResponse(status: 204, headers: ["repeatability-result": "accepted"])
        )
        service.set("POST Orders", RecordedService.json(Self.created, status: 201))
        try await provider.upload()
        #expect(service.log.allSatisfy { $0.headers["Repeatability-Request-ID"] == nil })
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["ID": 3]))
        service.clearLog()
        try await provider.upload()
        let post = try #require(service.log.last { $0.method == "POST" })
        #expect(post.headers["Repeatability-Request-ID"] != nil)
    }
}
