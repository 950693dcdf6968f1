import ODataHTTP
import OfflineOData
import Testing

/// Each rule of the model that a local change must obey: refused at once with its message, and nothing half done.
@Suite struct LocalRuleTests {
    /// A request that breaks a rule.
    struct Case: Sendable, CustomTestStringConvertible {
        var method: String
        var url: String
        var body: String?
        var status: Int
        var message: String
        var headers: HTTPHeaders = [:]

        init(
            _ method: String,
            _ url: String,
            _ body: String?,
            _ status: Int,
            _ message: String,
            _ headers: HTTPHeaders = [:]
        ) {
            (self.method, self.url, self.body) = (method, url, body)
            (self.status, self.message, self.headers) = (status, message, headers)
        }

        var testDescription: String { "\(method) \(url) \(body ?? "")" }
    }

    static let cases: [Case] = [
        // Types.
        Case("POST", "People", #"{"ID":"x","Name":"a"}"#, 400, "ID"),
        Case("PATCH", "People(1)", #"{"Name":7}"#, 400, "Name"),
        Case("PATCH", "People(1)", #"{"Born":"yesterday"}"#, 400, "Born"),
        Case("PATCH", "People(1)", #"{"ID":3000000000}"#, 400, "ID"),
        Case("PATCH", "People(1)", #"{"Nicks":"a"}"#, 400, "Nicks"),
        Case("PATCH", "People(1)", #"{"Home":"Bern"}"#, 400, "Home"),
        Case("PATCH", "People(1)", #"{"Nmae":"x"}"#, 400, "has no property 'Nmae'"),
        Case("POST", "People", #"{"@odata.type":"W.Job","Name":"x"}"#, 400, "W.Job"),
        Case("POST", "People", "[]", 400, ""),
        Case("POST", "People", #"{"Name":"x""#, 400, ""),
        // Facets.
        Case("POST", "People", #"{"Name":"longer than ten"}"#, 400, "Name is longer than 10"),
        Case("PATCH", "People(1)", #"{"Name":"longer than ten"}"#, 400, "Name is longer than 10"),
        Case("PATCH", "People(1)", #"{"Key":"AAAAAAA="}"#, 400, "Key is longer than 4"),
        Case(
            "PATCH",
            "People(1)",
            #"{"Nicks":["a","abcdef"]}"#,
            400,
            "Nicks[1] is longer"
        ),
        Case(
            "PATCH",
            "People(1)",
            #"{"Home":{"City":"thirteen char"}}"#,
            400,
            "Home/City is longer than 12"
        ),
        Case("PATCH", "People(1)", #"{"Level":1.234}"#, 400, "Level"),
        Case(
            "PATCH",
            "People(1)",
            #"{"Level":1234}"#,
            400,
            "Level has more than 3 digits before the point"
        ),
        Case(
            "PATCH",
            "People(1)",
            #"{"Born":"2020-01-01T00:00:00.0001Z"}"#,
            400,
            "Born has more than 3 digits of a second"
        ),
        Case(
            "PUT",
            "People(1)/Name",
            #"{"value":"longer than ten"}"#,
            400,
            "Name is longer than 10"
        ),
        // Nulls.
        Case("POST", "People", #"{"ID":50}"#, 400, "Name is missing"),
        Case("POST", "People", #"{"ID":50,"Name":null}"#, 400, "Name cannot be null"),
        Case("PATCH", "People(1)", #"{"Name":null}"#, 400, "Name cannot be null"),
        Case("PATCH", "People(1)", #"{"Home":{"City":null}}"#, 400, "Home/City cannot be null"),
        Case("PUT", "People(1)", #"{"Status":"old"}"#, 400, "Name"),
        Case("DELETE", "People(1)/Name", nil, 400, "Name cannot be null"),
        Case("DELETE", "People(1)/Home/City", nil, 400, "Home/City cannot be null"),
        // Keys.
        Case("POST", "People", #"{"ID":1,"Name":"a"}"#, 409, "with this key is in People already"),
        Case("POST", "People", #"{"ID":null,"Name":"a"}"#, 400, "ID cannot be null"),
        Case("PUT", "People(1)/ID", #"{"value":5}"#, 405, "ID cannot be changed"),
        // Values that clients do not set.
        Case("PATCH", "People(1)", #"{"Code":"B"}"#, 400, "Code cannot be changed"),
        // What the service does not allow.
        Case("POST", "Logs", #"{"Text":"x"}"#, 405, "entities of Logs cannot be created"),
        Case("PATCH", "Logs(1)", #"{"Text":"x"}"#, 405, "entities of Logs cannot be changed"),
        Case("DELETE", "Logs(1)", nil, 405, "entities of Logs cannot be deleted"),
        Case(
            "DELETE",
            "Me",
            nil,
            405,
            "Me cannot be deleted: the metadata says that it is always there"
        ),
        Case("POST", "Me", "{}", 405, ""),
        Case("PATCH", "RequestQueue(1)", #"{"CustomTag":"x"}"#, 404, ""),
        Case("POST", "RequestQueue", #"{"CustomTag":"x"}"#, 501, "RequestQueue can only be read"),
        // What is not there.
        Case("PATCH", "People(99)", #"{"Name":"x"}"#, 404, "no such entity"),
        Case("DELETE", "People(99)", nil, 404, "no such entity"),
        Case("POST", "People(99)/Jobs", #"{"Title":"x"}"#, 404, "no such entity"),
        Case(
            "PATCH",
            "People($local='00000000000000000000000000000000')",
            #"{"Name":"x"}"#,
            404,
            "no such entity"
        ),
        Case(
            "POST",
            "Jobs",
            #"{"Person@odata.bind":"People($local='00000000000000000000000000000000')"}"#,
            404,
            "not in the store"
        ),
        Case(
            "POST",
            "People(1)/Friends/$ref",
            #"{"@odata.id":"People"}"#,
            400,
            "addresses no single entity"
        ),
        // ETags and existence.
        Case(
            "PATCH",
            "People(1)",
            #"{"Name":"x"}"#,
            412,
            "another ETag",
            ["If-Match": "W/\"none\""]
        ),
        Case("DELETE", "People(1)", nil, 412, "another ETag", ["If-Match": "W/\"none\""]),
        Case(
            "PUT",
            "People(1)",
            #"{"Name":"x"}"#,
            412,
            "is in the store already",
            ["If-None-Match": "*"]
        ),
        Case("PATCH", "People(1)", #"{"Name":"x"}"#, 400, "If-Match", ["If-Match": "none"]),
        // Inline entities obey the same rules.
        Case("POST", "People", #"{"Name":"a","Jobs":[{"Title":1}]}"#, 400, "Title"),
        Case(
            "POST",
            "People",
            #"{"Name":"a","Staff":[{"Name":"longer than ten"}]}"#,
            400,
            "Name is longer than 10"
        ),
        Case(
            "POST",
            "People",
            #"{"Name":"a","Staff":[{"ID":1,"Name":"b"}]}"#,
            409,
            "with this key"
        ),
        Case("PATCH", "People(1)", #"{"Status":"x","Jobs":[{"ID":1,"Title":5}]}"#, 400, "Title"),
        // Links.
        Case(
            "POST",
            "People(1)/Notes/$ref",
            #"{"@odata.id":"People(2)"}"#,
            400,
            "contains its entities"
        ),
        Case("DELETE", "People(1)/Friends/$ref", nil, 400, "$id"),
    ]

    @Test func refusesEachAndLeavesNothing() async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        for item in Self.cases {
            let answer = await shop.send(item.method, item.url, item.body, item.headers)
            #expect(answer.status == item.status, "\(item.testDescription): \(answer.text)")
            #expect(answer.text.contains(item.message), "\(item.testDescription): \(answer.text)")
            let isUntouched = try await shop.dump() == before
            try #require(isUntouched, "\(item.testDescription) has left something")
        }
    }

    @Test func refusesASecondCreateWithTheSameKey() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("POST", "People", #"{"ID":70,"Name":"a"}"#).status == 201)
        let before = try await shop.dump()
        #expect(await shop.send("POST", "People", #"{"ID":70,"Name":"b"}"#).status == 409)
        #expect(try await shop.dump() == before)
    }

    @Test func allowsACreateAfterTheDeletionOfItsKey() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("DELETE", "Jobs(3)").status == 204)
        #expect(await shop.send("POST", "Jobs", #"{"ID":3,"Title":"new"}"#).status == 201)
        let queue = try await shop.provider.requestQueue()
        #expect(queue.map(\.method) == ["DELETE", "POST"])
        #expect(queue[1].dependsOn == [queue[0].id])
        #expect(await shop.value("Jobs(3)/Title") == "new")
    }

    @Test func refusesToReplaceWhatIsKnownInPart() async throws {
        let shop = try await Workshop(queries: [("People", "People?$select=ID,Name")])
        let before = await shop.get("People")
        let answer = await shop.send("PUT", "People(1)", #"{"Name":"x"}"#)
        #expect(answer.status == 400)
        #expect(answer.text.contains("holds only a part of this entity"))
        #expect(await shop.get("People") == before)
        #expect(try await shop.queue().isEmpty)
        #expect(await shop.send("PATCH", "People(1)", #"{"Status":"x"}"#).status == 204)
        #expect(await shop.value("People(1)/Status") == "x")
    }

    @Test func passesOverValuesThatTheServiceComputes() async throws {
        let shop = try await Workshop()
        let before = await shop.value("People(1)/Seen")
        let changed = await shop.send("PATCH", "People(1)", #"{"Status":"x","Seen":4,"Rank":4}"#)
        #expect(changed.status == 204, "\(changed.text)")
        #expect(await shop.value("People(1)/Seen") == before)
        let created = await shop.send("POST", "People", #"{"ID":71,"Name":"a","Seen":1}"#)
        #expect(created.status == 201, "\(created.text)")
        let bodies = try await shop.provider.requestQueue().compactMap(\.body)
        #expect(!bodies.isEmpty && bodies.allSatisfy { !$0.contains("Seen") })
    }

    @Test func takesValuesThatClientsCannotSetWhereTheyAreAsTheyWere() async throws {
        let shop = try await Workshop()
        let body = #"{"Name":"x","Code":"A","Seen":3,"ID":1}"#
        #expect(await shop.send("PATCH", "People(1)", body).status == 204)
        let sent = try #require(try await shop.provider.requestQueue().first?.body)
        #expect(!sent.contains("Seen") && !sent.contains("Code"))
    }

    @Test func refusesUnknownPropertiesOfValuesToo() async throws {
        let shop = try await Workshop()
        await #expect(throws: OfflineODataError.self) {
            try await shop.provider.createEntity(EntityValue(entitySet: "People", ["Nmae": "x"]))
        }
        #expect(try await shop.queue().isEmpty)
    }

    @Test func refusesOptionsThatExcludeEachOther() async throws {
        let shop = try await Workshop()
        await #expect(throws: OfflineODataError.self) {
            let options = OfflineODataRequestOptions()
            options.removeCreatedEntityAfterUpload = true
            options.unmodifiableRequest = true
            try await shop.provider.createEntity(
                EntityValue(entitySet: "People", ["Name": "x"]),
                options: options
            )
        }
    }
}
