import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// Batches answered by the store: multipart and JSON, written by hand.
@Suite struct LocalBatchTests {
    private func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }

    private func multipart(_ shop: Workshop, _ text: String) async -> HTTPResponse {
        await shop.send(
            "POST",
            "$batch",
            lines(text),
            ["Content-Type": "multipart/mixed;boundary=b"]
        )
    }

    private func json(_ shop: Workshop, _ text: String) async -> HTTPResponse {
        await shop.send("POST", "$batch", text)
    }

    /// A person, a job of that person by Content-ID, and a friend in a body.
    private static let changeSet = """
        --b
        Content-Type: multipart/mixed;boundary=c

        --c
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 1

        POST People HTTP/1.1
        Content-Type: application/json

        {"ID":80,"Name":"Di"}
        --c
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 2

        POST $1/Jobs HTTP/1.1
        Content-Type: application/json

        {"ID":90,"Title":"mend"}
        --c
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 3

        POST People HTTP/1.1
        Content-Type: application/json

        {"ID":81,"Name":"Ed","Boss@odata.bind":"$1"}
        --c--
        --b
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        GET People(81)/Boss?$select=Name HTTP/1.1


        --b--
        """

    @Test func carriesOutAMultipartChangeSetWithReferences() async throws {
        let shop = try await Workshop()
        let answer = await multipart(shop, Self.changeSet)
        #expect(answer.status == 200)
        #expect(answer.text.ranges(of: "HTTP/1.1 201 Created").count == 3)
        #expect(answer.text.contains(#""Name":"Di""#))
        #expect(await shop.value("Jobs(90)/Person/Name") == "Di")
        #expect(
            try await shop.queue() == ["POST People", "POST People(80)/Jobs", "POST People"]
        )
        let queue = try await shop.provider.requestQueue()
        #expect(queue[1].dependsOn == [queue[0].id])
        #expect(queue[2].body == #"{"ID":81,"Name":"Ed","Boss@odata.bind":"People(80)"}"#)
    }

    @Test func carriesOutAJSONGroupWithReferences() async throws {
        let shop = try await Workshop()
        let answer = await json(
            shop,
            """
            {"requests":[
              {"id":"a","atomicityGroup":"g","method":"POST","url":"People","headers":{"content-type":"application/json"},
               "body":{"Name":"Di"}},
              {"id":"b","atomicityGroup":"g","dependsOn":["a"],"method":"POST","url":"$a/Jobs",
               "headers":{"content-type":"application/json"},"body":{"ID":90,"Title":"mend"}},
              {"id":"c","dependsOn":["g"],"method":"GET","url":"Jobs(90)/Person?$select=Name"}]}
            """
        )
        #expect(answer.status == 200)
        let answers = try JSONValue(answer.body)["responses"]?.items ?? []
        #expect(answers.map { $0["status"]?.text } == ["201", "201", "200"])
        #expect(answers.last?["body"]?["Name"]?.text == "'Di'")
        let queue = try await shop.provider.requestQueue()
        #expect(queue.map(\.method) == ["POST", "POST"])
        // The key is not known yet: the job is created below the local id.
        #expect(queue[1].url.hasPrefix("People($local='"))
        #expect(queue[1].dependsOn == [queue[0].id])
    }

    /// What fails in a change set takes everything of it back, in the tables and in the queue.
    @Test(arguments: [
        (#"{"ID":80,"Name":"much longer than ten"}"#, "400"), (#"{"ID":1,"Name":"Di"}"#, "409"),
        (#"{"ID":80,"Name":"Di","Boss@odata.bind":"$7"}"#, "400"),
    ])
    func leavesNothingOfARefusedChangeSet(_ body: String, _ status: String) async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        let text = Self.changeSet.replacing(
            #"{"ID":81,"Name":"Ed","Boss@odata.bind":"$1"}"#,
            with: body
        )
        let answer = await multipart(shop, text)
        #expect(answer.status == 200)
        #expect(answer.text.contains("HTTP/1.1 \(status)"), "\(answer.text)")
        #expect(!answer.text.contains("HTTP/1.1 201"))
        #expect(try await shop.dump() == before)
        for table in ["$queue", "$effect", "$refers", "$local", "$depends"] {
            #expect(try shop.count(of: table) == 0, "\(table)")
        }
    }

    @Test func leavesNothingOfARefusedJSONGroupAndGoesOn() async throws {
        let shop = try await Workshop()
        let answer = await json(
            shop,
            """
            {"requests":[
              {"id":"a","atomicityGroup":"g","method":"POST","url":"People","headers":{"content-type":"application/json"},
               "body":{"ID":80,"Name":"Di"}},
              {"id":"b","atomicityGroup":"g","method":"PATCH","url":"People(77)",
               "headers":{"content-type":"application/json"},"body":{"Name":"x"}},
              {"id":"c","method":"DELETE","url":"Jobs(3)"}]}
            """
        )
        let answers = try JSONValue(answer.body)["responses"]?.items ?? []
        #expect(answers.map { $0["status"]?.text } == ["424", "404", "204"])
        #expect(await shop.send("GET", "People(80)").status == 404)
        #expect(try await shop.queue() == ["DELETE Jobs(3)"])
    }

    /// References may be long chains, and stand before what they refer to.
    @Test func ordersAChangeSetByItsReferences() async throws {
        let shop = try await Workshop()
        let count = 300
        let parts = (0..<count).map { index in
            let boss = index + 1 < count ? #","Boss@odata.bind":"$n\#(index + 1)""# : ""
            return """
                {"id":"n\(index)","atomicityGroup":"g","method":"POST","url":"People",
                 "headers":{"content-type":"application/json"},"body":{"ID":\(1_000 + index),"Name":"n"\(boss)}}
                """
        }
        let answer = await json(shop, "{\"requests\":[\(parts.joined(separator: ","))]}")
        #expect(answer.status == 200)
        #expect(await shop.get("People/$count?$filter=ID ge 1000") == "\(count)")
        #expect(await shop.value("People(1000)/Boss/ID") == "1001")
        let first = try await shop.provider.requestQueue().first
        #expect(first?.body?.contains("\"ID\":\(1_000 + count - 1)") == true)
    }

    @Test func refusesReferencesInACircle() async throws {
        let shop = try await Workshop()
        let answer = await json(
            shop,
            """
            {"requests":[
              {"id":"a","atomicityGroup":"g","method":"POST","url":"People","headers":{"content-type":"application/json"},
               "body":{"ID":80,"Name":"a","Boss@odata.bind":"$b"}},
              {"id":"b","atomicityGroup":"g","method":"POST","url":"People","headers":{"content-type":"application/json"},
               "body":{"ID":81,"Name":"b","Boss@odata.bind":"$a"}}]}
            """
        )
        #expect(answer.text.contains("circle"))
        #expect(try await shop.queue().isEmpty)
    }
}
