import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// Every kind of local change: its effect on the store and its request in the queue.
@Suite struct LocalChangeTests {
    // MARK: Create

    @Test func createsWithAndWithoutKeys() async throws {
        let shop = try await Workshop()
        let keyed = await shop.send("POST", "People", #"{"ID":80,"Name":"Di"}"#)
        #expect(keyed.headers["Location"] == SampleService.root + "People(80)")
        #expect(await shop.value("People(80)/Status") == "new")
        #expect(await shop.get("People(80)/Nicks").contains("\"value\":[]"))
        let local = await shop.send("POST", "People", #"{"Name":"Ed"}"#)
        #expect(local.headers["Location"]?.contains("People($local='") == true)
        #expect(try await shop.queue() == ["POST People", "POST People"])
    }

    @Test(arguments: ["Jobs", "People"])
    func answersACreatedEntityAsItIsReadAfterwards(_ set: String) async throws {
        let shop = try await Workshop()
        for key: ODataValue? in [95, nil] {
            var entity = EntityValue(entitySet: set)
            if let key { entity["ID"] = key }
            entity[set == "Jobs" ? "Title" : "Name"] = "Zoë \"\n"
            var created = try await shop.provider.createEntity(entity)
            let link = try #require(created.readLink)
            let read = try #require(try await shop.provider.executeQuery(link).first)
            #expect(created.isLocal && created.hasPendingChanges)
            #expect("\(created.members)" == "\(read.members)")
            // What is changed is the caller's own copy.
            let copy = created
            created["ID"] = 96
            #expect(created["ID"]?.integerValue == 96)
            #expect("\(copy.members)" == "\(read.members)")
        }
    }

    @Test func createsDeeply() async throws {
        let shop = try await Workshop()
        let body = """
            {"ID":80,"Name":"Di","Boss":{"ID":81,"Name":"Ed","Boss@odata.bind":"People(1)"},
             "Jobs":[{"ID":90,"Title":"a"},{"Title":"b"}],"Notes":[{"Number":1,"Text":"n"}],
             "Friends@odata.bind":["People(2)","People(3)"],"Rival":{"@id":"People(1)"}}
            """
        #expect(await shop.send("POST", "People", body).status == 201)
        #expect(await shop.value("People(80)/Boss/Boss/Name") == "Ada")
        #expect(await shop.get("People(80)/Jobs/$count") == "2")
        #expect(await shop.value("People(80)/Notes(1)/Text") == "n")
        #expect(await shop.get("People(80)/Friends/$count") == "2")
        #expect(await shop.value("People(80)/Rival/Name") == "Ada")
        #expect(try await shop.queue() == ["POST People"])
        try await shop.provider.undoAllPendingChanges()
        #expect(await shop.send("GET", "People(81)").status == 404)
    }

    @Test func createsThroughNavigation() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("POST", "People(1)/Jobs", #"{"ID":91,"Title":"x"}"#).status == 201)
        #expect(await shop.value("Jobs(91)/PersonID") == "1")
        #expect(await shop.send("POST", "People(2)/Notes", #"{"Number":7}"#).status == 201)
        #expect(await shop.send("PATCH", "People(2)/Notes(7)", #"{"Text":"t"}"#).status == 204)
        #expect(await shop.value("People(2)/Notes(7)/Text") == "t")
        #expect(
            await shop.send("POST", "People(3)/Friends", #"{"ID":92,"Name":"f"}"#).status == 201
        )
        #expect(await shop.value("People(3)/Friends(92)/Name") == "f")
        #expect(
            try await shop.queue()
                == [
                    "POST People(1)/Jobs", "POST People(2)/Notes", "PATCH People(2)/Notes(7)",
                    "POST People(3)/Friends",
                ]
        )
    }

    @Test func keepsDerivedAndOpenTypes() async throws {
        let shop = try await Workshop()
        let body = #"{"@odata.type":"W.Manager","ID":82,"Name":"M","Budget":9007199254740993}"#
        #expect(await shop.send("POST", "People", body).status == 201)
        #expect(await shop.value("People(82)/W.Manager/Budget") == "9007199254740993")
        #expect(
            await shop.send("PATCH", "People(82)/W.Manager", #"{"Budget":5}"#).status == 204
        )
        #expect(
            await shop.send("PATCH", "Tools('S1')", #"{"Weight":1.50,"Colour":null}"#).status == 204
        )
        #expect(await shop.value("Tools('S1')/Weight") == "1.50")
        let last = try #require(try await shop.provider.requestQueue().last?.body)
        #expect(last.contains("\"Weight\":1.50") && last.contains("\"Colour\":null"))
    }

    // MARK: Update

    @Test func mergesAndReplaces() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("PATCH", "People(1)", #"{"Level":2.25}"#).status == 204)
        #expect(await shop.value("People(1)/Name") == "Ada")
        #expect(await shop.send("PUT", "People(1)", #"{"Name":"A"}"#).status == 204)
        #expect(await shop.send("GET", "People(1)/Level").status == 204)
        #expect(await shop.value("People(1)/Status") == "new")
        // What clients cannot change stays.
        #expect(await shop.value("People(1)/Code") == "A")
        #expect(await shop.value("People(1)/Seen") == "3")
        #expect(await shop.get("People(1)/Nicks").contains("[]"))
        #expect(try await shop.queue() == ["PATCH People(1)", "PUT People(1)"])
    }

    /// A creation that was refused keeps its key, its type and what is created along when its values are replaced.
    @Test func replacesTheValuesOfARefusedCreation() async throws {
        let shop = try await Workshop()
        shop.rules.refuse { $0.holds("bad") }
        let body = """
            {"@odata.type":"#W.Manager","ID":80,"Name":"bad","Code":"c","Budget":5,"Boss@odata.bind":"People(1)",
             "Friends@odata.bind":["People(2)"],"Jobs":[{"ID":90}]}
            """
        #expect(await shop.send("POST", "People", body).status == 201)
        try await shop.provider.upload()
        #expect(try await shop.provider.errorArchive().count == 1)
        #expect(await shop.send("PUT", "People(80)", #"{"Name":"good"}"#).isSuccess)
        let request = try #require(try await shop.provider.requestQueue().first)
        #expect(request.method == "POST")
        let sent = try JSONValue(request.body ?? "")
        #expect(sent["@odata.type"]?.text == "'#W.Manager'")
        #expect(sent["ID"]?.text == "80" && sent["Name"]?.text == "'good'")
        #expect(sent["Code"]?.text == "'c'" && sent["Budget"] == nil)
        #expect(sent["Jobs"]?.items.count == 1)
        // A replacement leaves relations that it does not mention (OData 4.01 Part 1 § 11.4.3).
        #expect(sent["Boss@odata.bind"]?.text == "'People(1)'")
        #expect(sent["Friends@odata.bind"]?.items.map(\.text) == ["'People(2)'"])
        try await shop.provider.upload()
        #expect(try await shop.provider.errorArchive().isEmpty)
        let there = await shop.service.get("People(80)?$expand=Friends,Jobs").text
        #expect(there.contains(#""Name":"good""#) && there.contains("W.Manager"))
    }

    /// A body that names no type replaces what derived types declare too.
    @Test func replacesAllThatADerivedTypeHas() async throws {
        let shop = try await Workshop()
        #expect(await shop.value("People(3)/W.Manager/Budget") == "100")
        #expect(await shop.send("PUT", "People(3)", #"{"Name":"Cyd"}"#).isSuccess)
        #expect(await shop.get("People(3)").contains(#""Budget":null"#))
        try await shop.provider.undoAllPendingChanges()
        #expect(await shop.value("People(3)/W.Manager/Budget") == "100")
    }

    @Test(arguments: [
        ("PUT", "Name", #"{"value":"N"}"#, "application/json", "Name/$value", "N"),
        ("PUT", "Name/$value", "N", "text/plain", "Name/$value", "N"),
        ("PUT", "Home/City/$value", "Thun", "text/plain", "Home/City/$value", "Thun"),
        ("PATCH", "Home", #"{"Zip":"1"}"#, "application/json", "Home/City/$value", "Bern"),
        ("PUT", "Home", #"{"City":"Thun"}"#, "application/json", "Home/Zip/$value", ""),
        ("PUT", "Nicks", #"{"value":["x","y"]}"#, "application/json", "Nicks/$count", "2"),
        ("DELETE", "Level", "", "application/json", "Level/$value", ""),
        ("DELETE", "Home", "", "application/json", "Home/City/$value", ""),
    ])
    func changesSingleProperties(
        _ method: String,
        _ path: String,
        _ body: String,
        _ type: String,
        _ read: String,
        _ expected: String
    ) async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        let answer = await shop.send(
            method,
            "People(1)/" + path,
            method == "DELETE" ? nil : body,
            ["Content-Type": type]
        )
        #expect(answer.status == 204, "\(answer.text)")
        #expect(await shop.get("People(1)/" + read) == expected)
        #expect(try await shop.queue() == ["PATCH People(1)"])
        try await shop.provider.undoPendingChanges("People(1)")
        #expect(try await shop.dump() == before)
    }

    @Test func changesSingletons() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("PATCH", "Me", #"{"Status":"busy"}"#).status == 204)
        #expect(await shop.value("Me/Status") == "busy")
        #expect(await shop.send("POST", "Me/Notes", #"{"Number":1,"Text":"x"}"#).status == 201)
        #expect(await shop.value("Me/Notes(1)/Text") == "x")
        #expect(try await shop.queue() == ["PATCH Me", "POST Me/Notes"])
    }

    @Test func splitsDeepUpdates() async throws {
        let shop = try await Workshop()
        let body = """
            {"Status":"deep","Jobs":[{"ID":1,"Title":"changed"},{"ID":93,"Title":"added"}],
             "Friends":[{"ID":3}],"Notes":[{"Number":5,"Text":"n"}]}
            """
        #expect(await shop.send("PATCH", "People(2)", body).status == 204)
        #expect(
            try await shop.queue() == [
                "PATCH People(2)", "PATCH Jobs(1)", "POST People(2)/Jobs",
                "DELETE People(2)/Jobs/$ref?$id=Jobs(2)", "POST People(2)/Friends/$ref",
                "POST People(2)/Notes",
            ]
        )
        #expect(await shop.value("Jobs(1)/Title") == "changed")
        #expect(await shop.get("People(2)/Jobs/$count") == "2")
        #expect(await shop.get("People(2)/Friends/$count") == "1")
        #expect(try await shop.provider.upload().failedCount == 0)
        #expect(
            String(decoding: await shop.service.get("People(2)/Jobs/$count").body, as: UTF8.self)
                == "2"
        )
    }

    @Test func upsertsWhatIsNotThere() async throws {
        let shop = try await Workshop()
        let absent: HTTPHeaders = ["If-None-Match": "*"]
        #expect(
            await shop.send("PATCH", "Tools('S7')", #"{"Colour":"blue"}"#, absent).status == 201
        )
        #expect(await shop.value("Tools('S7')/Colour") == "blue")
        #expect(try await shop.queue() == ["PATCH Tools('S7')"])
        let value = EntityValue(entitySet: "Tools", ["Serial": "S1", "Colour": "green"])
        try await shop.provider.upsertEntity(value)
        var other = value
        other["Serial"] = "S8"
        try await shop.provider.upsertEntity(other)
        #expect(
            try await shop.queue() == [
                "PATCH Tools('S7')", "PATCH Tools('S1')", "PATCH Tools('S8')",
            ]
        )
        let result = try await shop.provider.upload()
        #expect(result.succeededCount == 3)
        #expect(
            String(
                decoding: await shop.service.get("Tools('S8')/Colour/$value").body,
                as: UTF8.self
            ) == "green"
        )
        #expect(try await shop.queue().isEmpty)
    }

    // MARK: Delete

    @Test func appliesOnDeleteAndTakesItBack() async throws {
        let shop = try await Workshop()
        for line in [#"{"ID":83,"Name":"x","BossID":2}"#] {
            #expect(await shop.send("POST", "People", line).status == 201)
        }
        #expect(await shop.send("POST", "People(2)/Notes", #"{"Number":1}"#).status == 201)
        #expect(
            await shop.send("POST", "People(3)/Friends/$ref", #"{"@odata.id":"People(2)"}"#).status
                == 204
        )
        let before = try await shop.dump()
        #expect(await shop.send("DELETE", "People(2)").status == 204)
        #expect(await shop.send("GET", "Jobs(1)").status == 404)
        #expect(await shop.send("GET", "Jobs(2)").status == 404)
        #expect(await shop.send("GET", "Jobs(3)").status == 200)
        #expect(await shop.send("GET", "People(83)/BossID").status == 204)
        #expect(await shop.value("Tools('S1')/OwnerID") == "1")
        #expect(await shop.get("People(3)/Friends/$count") == "0")
        #expect(try await shop.queue().last == "DELETE People(2)")
        let last = try #require(try await shop.provider.requestQueue().last)
        try await shop.provider.dropRequest(last.id)
        #expect(try await shop.dump() == before)
    }

    @Test func deletesThroughNavigation() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("DELETE", "People(2)/Jobs(1)").status == 204)
        #expect(await shop.send("GET", "Jobs(1)").status == 404)
        #expect(await shop.send("DELETE", "People(2)/Boss").status == 204)
        #expect(await shop.send("GET", "People(1)").status == 404)
        #expect(try await shop.queue() == ["DELETE Jobs(1)", "DELETE People(1)"])
    }

    // MARK: Links

    @Test func changesLinksOfEveryMultiplicity() async throws {
        let shop = try await Workshop()
        let steps: [(String, String, String?)] = [
            ("POST", "People(1)/Friends/$ref", #"{"@odata.id":"People(2)"}"#),
            ("POST", "People(1)/Friends/$ref", #"{"@id":"People(3)"}"#),
            ("DELETE", "People(1)/Friends/$ref?$id=People(2)", nil),
            ("PUT", "People(1)/Rival/$ref", #"{"@odata.id":"People(3)"}"#),
            ("PUT", "People(1)/Rival/$ref", #"{"@odata.id":"People(2)"}"#),
            ("PUT", "People(3)/Boss/$ref", #"{"@odata.id":"People(1)"}"#),
            ("POST", "People(3)/Jobs/$ref", #"{"@odata.id":"Jobs(3)"}"#),
            ("DELETE", "People(2)/Boss/$ref", nil),
        ]
        for (method, url, body) in steps {
            let answer = await shop.send(method, url, body)
            #expect(answer.status == 204, "\(method) \(url): \(answer.text)")
        }
        #expect(await shop.value("People(1)/Friends(3)/ID") == "3")
        #expect(await shop.get("People(1)/Friends/$count") == "1")
        #expect(await shop.value("People(1)/Rival/ID") == "2")
        #expect(await shop.value("People(3)/BossID") == "1")
        #expect(await shop.value("Jobs(3)/PersonID") == "3")
        #expect(await shop.send("GET", "People(2)/Boss").status == 204)
        #expect(await shop.send("DELETE", "People(1)/Rival/$ref").status == 204)
        #expect(await shop.send("GET", "People(1)/Rival").status == 204)
        #expect(try await shop.queue().count == 9)
        let result = try await shop.provider.upload()
        #expect(result.succeededCount == 9)
        try await shop.provider.download()
        #expect(await shop.value("People(1)/Friends(3)/ID") == "3")
        #expect(await shop.get("People(1)/Friends/$count") == "1")
    }

    @Test func takesLinksBack() async throws {
        let shop = try await Workshop()
        let before = try await shop.dump()
        await shop.send("POST", "People(1)/Friends/$ref", #"{"@odata.id":"People(2)"}"#)
        await shop.send("PUT", "People(1)/Rival/$ref", #"{"@odata.id":"People(3)"}"#)
        await shop.send("PUT", "People(3)/Boss/$ref", #"{"@odata.id":"People(1)"}"#)
        await shop.send("DELETE", "People(1)/Friends/$ref?$id=People(2)")
        try await shop.provider.undoAllPendingChanges()
        #expect(try await shop.dump() == before)
    }

    @Test func refersToWhatTheStoreDoesNotHold() async throws {
        let shop = try await Workshop(queries: [
            ("People", "People?$filter=ID eq 1"), ("Jobs", "Jobs?$filter=ID eq 3"),
        ])
        #expect(await shop.send("GET", "People(2)").status == 404)
        let created = await shop.send(
            "POST",
            "Jobs",
            #"{"ID":94,"Person@odata.bind":"People(2)"}"#
        )
        #expect(created.status == 201)
        #expect(await shop.value("Jobs(94)/PersonID") == "2")
        #expect(
            await shop.send("POST", "People(1)/Friends/$ref", #"{"@odata.id":"People(3)"}"#).status
                == 204
        )
        #expect(
            await shop.send("PUT", "Jobs(3)/Person/$ref", #"{"@odata.id":"People(3)"}"#).status
                == 204
        )
        #expect(await shop.value("Jobs(3)/PersonID") == "3")
        #expect(try await shop.provider.upload().succeededCount == 3)
        #expect(
            String(decoding: await shop.service.get("People(1)/Friends/$count").body, as: UTF8.self)
                == "1"
        )
    }

    @Test func refusesAReferenceToWhatIsDeletedHere() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("DELETE", "People(3)").status == 204)
        let answer = await shop.send("PUT", "Jobs(3)/Person/$ref", #"{"@odata.id":"People(3)"}"#)
        #expect(answer.status == 404)
    }

    // MARK: Values

    @Test func sendsOnlyWhatAValueChanges() async throws {
        let shop = try await Workshop()
        var person = try #require(
            try await shop.provider.executeQuery("People(2)?$expand=Jobs,Friends").first
        )
        try await shop.provider.updateEntity(person)
        #expect(try await shop.queue().isEmpty)
        person["Status"] = "x"
        try await shop.provider.updateEntity(person)
        let entry = try #require(try await shop.provider.requestQueue().first)
        #expect(entry.body == #"{"Status":"x"}"#)
        let options = OfflineODataRequestOptions()
        options.updateMode = .replace
        options.preferNoContent = true
        person["Status"] = "y"
        try await shop.provider.updateEntity(person, options: options)
        let second = try #require(try await shop.provider.requestQueue().last)
        #expect(second.method == "PUT")
        #expect(second.headers == "Prefer: return=minimal")
        #expect(await shop.get("People(2)/Jobs/$count") == "2")
    }

    @Test func queuesAnEmptyUpdateWhereItIsWanted() async throws {
        let shop = try await Workshop()
        let person = try #require(try await shop.provider.executeQuery("People(2)").first)
        let options = OfflineODataRequestOptions()
        options.sendEmptyUpdate = true
        try await shop.provider.updateEntity(person, options: options)
        #expect(try await shop.queue() == ["PATCH People(2)"])
    }
}
