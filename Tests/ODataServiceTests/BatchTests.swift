import ODataHTTP
import Testing

@testable import ODataAnswers
import ODataService

@Suite struct BatchTests {
    /// Sends lines as a multipart batch, `\n` standing for CRLF, and answers status, headers and body with `\n` again.
    private func send(
        _ service: TestService,
        _ lines: String,
        _ headers: HTTPHeaders = [:]
    ) async -> (response: HTTPResponse, text: String) {
        var headers = headers
        headers["Content-Type"] = "multipart/mixed; boundary=b"
        let body = lines.split(separator: "\n", omittingEmptySubsequences: false).joined(
            separator: "\r\n"
        )
        let response = await service.send("POST", "$batch", headers, body)
        return (
            response,
            response.text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(
                separator: "\n"
            )
        )
    }

    /// The answers of a batch in order; change sets taken apart.
    private func parts(_ response: HTTPResponse) throws -> [BatchResponsePart] {
        let type = try #require(response.headers["Content-Type"])
        let batch = try BatchResponse(multipart: response.body, contentType: type)
        #expect(batch.isComplete)
        return batch.parts
    }

    /// A part of a multipart batch may have no id, an answer in JSON has one: it is made up, and nothing is done that is not answered.
    @Test func answersInJSONWhatCameWithoutIDs() async throws {
        let service = try await SampleService.make()
        let post =
            "Content-Type: application/http\n\nPOST WorkOrders HTTP/1.1\nContent-Type: application/json\n\n"
        let (response, text) = await send(
            service,
            "--b\n\(post){\"Title\":\"one\"}\n--b\nContent-ID: part1\n\(post){\"Title\":\"two\"}\n"
                + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\(post){\"Title\":\"three\"}\n--c--\n--b--",
            ["Accept": "application/json"]
        )
        #expect(response.status == 200, "\(text)")
        let answer = BatchResponse(json: response.body)
        #expect(answer.parts.map(\.response.status) == [201, 201, 201])
        #expect(answer.parts.map(\.contentID) == ["part2", "part1", "part3"])
        #expect(answer.parts.map(\.atomicityGroup) == [nil, nil, "set1"])
        let count = await service.get("WorkOrders/$count?$filter=Title in ('one','two','three')")
        #expect(count.text.hasSuffix("3"))
    }

    /// OData 4.01 Part 1 § 11.7.7.4.
    @Test func followsReferencesToRequestsThatFollowOthers() async throws {
        let service = try await SampleService.make()
        let body = """
            {"requests":[{"id":"a","method":"get","url":"WorkOrders(1)"},{"id":"b","dependsOn":["a"],"method":"get","url":"$a/Customer"},
            {"id":"c","dependsOn":["b"],"method":"get","url":"$b/Name"}]}
            """
        let response = await service.send("POST", "$batch", [:], body)
        let answer = BatchResponse(json: response.body)
        #expect(answer.parts.map(\.response.status) == [200, 200, 200], "\(response.text)")
        #expect(response.text.contains("Å & Co\"}"), "\(response.text)")
    }

    @Test func answersRequestsAndChangeSetsInOrder() async throws {
        let service = try await SampleService.make()
        let (response, text) = await send(
            service,
            """
            --b
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET Parts('P1')?$select=Name HTTP/1.1
            Host: service.test


            --b
            Content-Type: multipart/mixed; boundary=c

            --c
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 1

            POST /WorkOrders HTTP/1.1
            Content-Type: application/json
            Prefer: return=minimal

            {"Title":"New"}
            --c
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 2

            POST $1/Tasks HTTP/1.1
            Content-Type: application/json
            Prefer: return=minimal

            {"Title":"Sub"}
            --c--
            --b
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET http://service.test/WorkOrders(4)/Tasks/$count HTTP/1.1


            --b--
            """
        )
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"]?.hasPrefix("multipart/mixed") == true)
        let answers = try parts(response)
        #expect(answers.map(\.response.status) == [200, 204, 204, 200])
        #expect(answers.map(\.contentID) == [nil, "1", "2", nil])
        #expect(answers[0].response.text.hasSuffix(#""Number":"P1","Name":"Bolt"}"#))
        #expect(answers[1].response.headers["Location"] == "http://service.test/WorkOrders(4)")
        #expect(answers[2].response.headers["OData-EntityId"] == "http://service.test/Tasks(3)")
        #expect(answers[3].response.text == "1")
        #expect(text.contains("Content-ID: 1\n"))
    }

    private static func changeSet(_ members: [(id: String?, request: String)]) -> String {
        var text = "--b\nContent-Type: multipart/mixed; boundary=c\n\n"
        for (id, request) in members {
            text += "--c\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n"
            if let id { text += "Content-ID: \(id)\n" }
            text += "\n\(request)\n"
        }
        return text + "--c--\n"
    }

    private static func single(_ request: String) -> String {
        "--b\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\n\(request)\n\n\n"
    }

    private static func post(_ url: String, _ body: String) -> String {
        "POST \(url) HTTP/1.1\nContent-Type: application/json\nPrefer: return=minimal\n\n\(body)"
    }

    @Test func takesAllOfAFailedChangeSetBack() async throws {
        let service = try await SampleService.make()
        let (response, _) = await send(
            service,
            Self.changeSet([
                ("1", Self.post("WorkOrders", #"{"Title":"New"}"#)),
                ("2", Self.post("WorkOrders", "{}")),
            ]) + Self.single("GET WorkOrders/$count HTTP/1.1") + "--b--",
            ["Prefer": "odata.continue-on-error"]
        )
        #expect(response.headers["Preference-Applied"] == "odata.continue-on-error")
        let answers = try parts(response)
        #expect(answers.map(\.response.status) == [400, 200])
        #expect(answers.map(\.contentID) == ["2", nil])
        #expect(answers.last?.response.text == "3")
    }

    @Test(arguments: ["continue-on-error", "odata.continue-on-error"])
    func namesThePreferenceAsTheClientDoes(name: String) async throws {
        let service = try await SampleService.make()
        let body = Self.single("GET Parts HTTP/1.1") + "--b--"
        let (response, _) = await send(service, body, ["Prefer": name])
        #expect(response.headers["Preference-Applied"] == name)
    }

    /// The format of the batch is that of its answers, not of raw values.
    @Test func answersRawValuesInABatchOfJSON() async throws {
        let service = try await SampleService.make()
        let body = Self.single("GET Parts('P1')/Name/$value HTTP/1.1") + "--b--"
        let answers = try parts(
            await send(service, body, ["Accept": "multipart/mixed, application/json"]).response
        )
        #expect(answers.map(\.response.text) == ["Bolt"])
    }

    /// Some clients write each URL with a slash before it.
    @Test func readsReferencesWithASlashBeforeThem() async throws {
        let service = try await SampleService.make()
        let order = #"{"Title":"New","CustomerID":"C1"}"#
        let task = #"{"ID":9,"Title":"Do","WorkOrder@odata.bind":"/$1"}"#
        let body =
            Self.changeSet([
                ("2", Self.post("Tasks", task)), ("1", Self.post("WorkOrders", order)),
                ("3", Self.post("/$1/Tasks", #"{"ID":10,"Title":"Do"}"#)),
            ]) + Self.single("GET Tasks/$count?$filter=WorkOrder/Title%20eq%20'New' HTTP/1.1")
            + "--b--"
        let answers = try parts(await send(service, body).response)
        #expect(answers.map(\.response.status) == [204, 204, 204, 200])
        #expect(answers.last?.response.text == "2")
    }

    @Test func stopsAtTheFirstErrorUnlessToldOtherwise() async throws {
        let service = try await SampleService.make()
        let lines =
            Self.single("GET Nope HTTP/1.1") + Self.single("GET Parts/$count HTTP/1.1") + "--b--"
        #expect(try parts(await send(service, lines).response).map(\.response.status) == [404])
        let going = await send(service, lines, ["Prefer": "continue-on-error"]).response
        #expect(try parts(going).map(\.response.status) == [404, 200])
    }

    @Test func refersToContentIDsInBodiesAndETags() async throws {
        let service = try await SampleService.make()
        let patch =
            "PATCH $1 HTTP/1.1\nContent-Type: application/json\nIf-Match: $1\n\n{\"Title\":\"Newer\"}"
        let (response, _) = await send(
            service,
            Self.changeSet([
                // Out of order: what is referred to comes later.
                (nil, Self.post("Tasks", #"{"Title":"Sub","WorkOrder@odata.bind":"$1"}"#)),
                ("1", Self.post("WorkOrders", #"{"Title":"New"}"#)),
            ]) + Self.changeSet([(nil, patch)]) + "--b--"
        )
        let answers = try parts(response)
        #expect(answers.map(\.response.status) == [204, 204, 204])
        #expect(answers[0].response.headers["Location"] == "http://service.test/Tasks(3)")
        #expect(await service.get("Tasks(3)/WorkOrder/Title/$value").text == "Newer")
    }

    @Test func sendsSingleChangesOutsideChangeSets() async throws {
        let service = try await SampleService.make()
        let lines = Self.single(Self.post("WorkOrders", #"{"Title":"New"}"#)) + "--b--"
        #expect(try parts(await send(service, lines).response).map(\.response.status) == [204])
    }

    @Test(arguments: [
        (changeSet([(nil, "GET Parts HTTP/1.1\n\n")]) + "--b--", [400]),
        (changeSet([("1", post("$2", "{}")), ("2", post("$1", "{}"))]) + "--b--", [400]),
        (single("GET $7 HTTP/1.1") + "--b--", [400]),
        (single("GET http://other.test/Parts HTTP/1.1") + "--b--", [404]),
        (single("GET $batch HTTP/1.1") + "--b--", [405]),
        (single("POST $batch HTTP/1.1") + "--b--", [400]),
    ])
    func refusesParts(lines: String, statuses: [Int]) async throws {
        let service = try await SampleService.make()
        let (response, text) = await send(service, lines)
        #expect(response.status == 200)
        #expect(try parts(response).map(\.response.status) == statuses, "\(text)")
    }

    @Test(arguments: [
        ("--b\n", 400), ("", 400),
        (
            changeSet([
                ("1", post("WorkOrders", #"{"Title":"A"}"#)),
                ("1", post("WorkOrders", #"{"Title":"B"}"#)),
            ])
                + "--b--", 400
        ),
    ])
    func refusesBrokenBatchesAsAWhole(lines: String, status: Int) async throws {
        let service = try await SampleService.make()
        #expect(await send(service, lines).response.status == status)
        #expect(await service.get("WorkOrders/$count").text == "3")
    }

    /// `multipart/mixed` is the format of the batch, not of its requests (OData 4.01 Part 1 § 8.2.1).
    @Test(arguments: [
        ("multipart/mixed", "minimal"),
        ("multipart/mixed, application/json;odata.metadata=none;q=0.5", "none"),
    ])
    func countsAcceptedFormatsForRequests(accept: String, metadata: String) async throws {
        let service = try await SampleService.make()
        let lines = Self.single("GET Parts HTTP/1.1") + "--b--"
        let answers = try parts(await send(service, lines, ["Accept": accept]).response)
        #expect(answers.map(\.response.status) == [200])
        let type = answers.first?.response.headers["Content-Type"]
        #expect(type == "application/json;odata.metadata=\(metadata)")
    }

    @Test func refusesMoreRequestsThanTheLimit() async throws {
        var options = StandaloneOptions()
        options.service.limits.batchParts = 2
        let service = try await SampleService.make(options)
        let get = Self.single("GET Parts/$count HTTP/1.1")
        #expect(await send(service, get + get + "--b--").response.status == 200)
        #expect(await send(service, get + get + get + "--b--").response.status == 413)
    }

    @Test func refusesOtherContentTypes() async throws {
        let service = try await SampleService.make()
        #expect(
            await service.send("POST", "$batch", ["Content-Type": "text/plain"], "x").status == 415
        )
    }

    @Test func canBeSwitchedOff() async throws {
        var options = StandaloneOptions()
        options.service.hasBatch = false
        let service = try await SampleService.make(options)
        #expect(await send(service, "--b--").response.status == 501)
    }
}

// MARK: - JSON

@Suite struct JSONBatchTests {
    private func send(_ service: TestService, _ body: String, _ headers: HTTPHeaders = [:])
        async throws -> [BatchResponsePart]
    {
        let response = await service.send("POST", "$batch", headers, body)
        #expect(response.status == 200, "\(response.text)")
        #expect(response.headers["Content-Type"]?.hasPrefix("application/json") == true)
        return BatchResponse(json: response.body).parts
    }

    private static let mixed = """
        {"requests":[
        {"id":"g","method":"get","url":"Nope"},
        {"id":"1","atomicityGroup":"s","method":"post","url":"WorkOrders","headers":{"content-type":"application/json"},
        "body":{"Title":"New"}},
        {"id":"2","atomicityGroup":"s","method":"post","url":"$1/Tasks","headers":{"content-type":"application/json"},
        "body":{"Title":"Sub"}},
        {"id":"3","dependsOn":["s"],"method":"get","url":"$1/Tasks/$count"},
        {"id":"4","dependsOn":["g"],"method":"get","url":"Parts"}]}
        """

    @Test func answersEachRequest() async throws {
        let parts = try await send(try await SampleService.make(), Self.mixed)
        var statuses: [String: Int] = [:]
        for part in parts { statuses[part.contentID ?? ""] = part.response.status }
        #expect(statuses == ["g": 404, "1": 201, "2": 201, "3": 200, "4": 424])
        #expect(parts.first { $0.contentID == "3" }?.response.text == "1")
    }

    @Test func stopsWhereToldTo() async throws {
        let service = try await SampleService.make()
        let parts = try await send(service, Self.mixed, ["Prefer": "continue-on-error=false"])
        #expect(Set(parts.map(\.response.status)) == [404, 424])
        #expect(parts.count == 5)
        #expect(await service.get("WorkOrders/$count").text == "3")
    }

    @Test func answersEachMemberOfAFailedGroup() async throws {
        let service = try await SampleService.make()
        let parts = try await send(
            service,
            """
            {"requests":[
            {"id":"1","atomicityGroup":"s","method":"post","url":"WorkOrders","body":{"Title":"New"}},
            {"id":"2","atomicityGroup":"s","method":"post","url":"WorkOrders","body":{}},
            {"id":"3","dependsOn":["s"],"method":"get","url":"Parts"}]}
            """
        )
        #expect(parts.map(\.contentID) == ["1", "2", "3"])
        #expect(parts.map(\.response.status) == [424, 400, 424])
        #expect(Set(parts.map { $0.response.headers["OData-Version"] }).count == 1)
        #expect(await service.get("WorkOrders/$count").text == "3")
    }

    /// A condition is obeyed, or said to be none that the service knows (OData JSON 4.01 § 19.1).
    @Test(arguments: [
        ("true", [201, 200], "4"), ("false", [424, 424], "3"),
        ("$0/Title eq 'x'", [501, 424], "3"),
    ])
    func carriesNothingOutThatItsConditionForbids(
        condition: String,
        statuses: [Int],
        count: String
    ) async throws {
        let service = try await SampleService.make()
        let parts = try await send(
            service,
            """
            {"requests":[{"id":"1","if":"\(condition)","method":"post","url":"WorkOrders","body":{"Title":"New"}},
            {"id":"2","dependsOn":["1"],"method":"get","url":"Parts"}]}
            """
        )
        #expect(parts.map(\.response.status) == statuses)
        #expect(await service.get("WorkOrders/$count").text == count)
    }

    /// JSON batches came with 4.01; no answer is of a higher version than the client takes (OData 4.01 Part 1 § 8.2.7).
    @Test(arguments: [("4.0", "4.0"), ("4.01", "4.01"), (nil, "4.01")] as [(String?, String)])
    func answersInAVersionThatTheClientTakes(_ maximum: String?, _ version: String) async throws {
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        headers["OData-MaxVersion"] = maximum
        let answer = await (try SampleService.make()).send(
            "POST",
            "$batch",
            headers,
            #"{"requests":[{"id":"1","method":"get","url":"Parts"}]}"#
        )
        #expect(answer.headers["OData-Version"] == version)
    }

    /// What a batch states counts for its requests, unless they say otherwise (OData 4.01 Part 1 §§ 8.1.5, 8.2.1, 8.2.7).
    @Test(arguments: [
        ("{}", "4.01", "application/json;metadata=none"),
        (#"{"OData-MaxVersion":"4.0"}"#, "4.0", "application/json;odata.metadata=none"),
        (#"{"Accept":"application/json"}"#, "4.01", "application/json;metadata=minimal"),
    ])
    func countsHeadersOfTheBatchForItsRequests(own: String, version: String, type: String)
        async throws
    {
        let accept = "application/json;metadata=none"
        let parts = try await send(
            try await SampleService.make(),
            #"{"requests":[{"id":"1","method":"get","url":"Parts","headers":\#(own)}]}"#,
            ["OData-MaxVersion": "4.01", "Accept": accept]
        )
        #expect(parts.first?.response.headers["OData-Version"] == version)
        #expect(parts.first?.response.headers["Content-Type"] == type)
    }

    /// The ETag in a body counts in version 4.01, which the batch states (OData 4.01 Part 1 § 11.4.3).
    @Test func readsRequestsInTheVersionOfTheBatch() async throws {
        let body = #"{"@odata.etag":"W/\"stale\"","Name":"x"}"#
        let parts = try await send(
            try await SampleService.make(),
            #"{"requests":[{"id":"1","method":"patch","url":"Parts('P1')","body":\#(body)}]}"#,
            ["OData-Version": "4.01"]
        )
        #expect(parts.map(\.response.status) == [412])
    }
}
