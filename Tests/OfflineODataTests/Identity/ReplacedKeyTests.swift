import OfflineOData
import ODataHTTP
import TestSupport
import Testing

/// The service gives a created entity another key than the client has sent (OData 4.01 Part 1 § 11.4.2): everything that waits
/// goes to the entity as the service knows it.
@Suite struct ReplacedKeyTests {
    private static let root = Depot.root

    /// Ways in which services tell the key, all of them 77 in place of 5.
    static let answers: [HTTPResponse] = [
        Depot.created(#"{"ID":77,"Title":"a"}"#),
        Depot.created(#"{"@odata.context":"$metadata#Orders/$entity","ID":77}"#),
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":77}"#.utf8)
        ),
        told("Location", root + "Orders(77)"), told("OData-EntityId", root + "Orders(77)"),
        told("Location", "Orders(77)"), told("Location", "/odata/Orders(77)"),
        told("Location", "./Orders(77)"),
        told("Location", root + "Orders(ID=77)"), told("Location", root + "Orders%2877%29"),
        told("location", "HTTP://SERVICE.TEST:80/odata/Orders(77)"),
        told("Location", "http://inner:8080/odata/Orders(77)"),
        told("Location", "http://inner:8080/svc/v1/Orders(77)"),
        // A quote in the path before the set.
        told("Location", "http://inner:8080/o'neil/v1/Orders(77)"),
        // A body without the key, beside a header with it.
        HTTPResponse(
            status: 201,
            headers: ["Content-Type": "application/json", "Location": root + "Orders(77)"],
            body: Array(#"{"Title":"a"}"#.utf8)
        ),
        Depot.created(#"{"@odata.id":"Orders(77)","Title":"a"}"#),
        Depot.created(#"{"@odata.editLink":"http://inner/svc/Orders(77)","Title":"a"}"#),
        HTTPResponse(
            status: 201,
            headers: [
                "OData-EntityId": "urn:order:77", "Location": root + "Orders(77)",
            ]
        ),
    ]

    private static func told(_ name: String, _ value: String) -> HTTPResponse {
        HTTPResponse(status: 204, headers: [name: value])
    }

    @Test(arguments: answers)
    func sendsLaterRequestsToTheKeyTold(_ answer: HTTPResponse) async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", answer)
        for request in [
            "PATCH Orders(77)", "POST Orders(77)/Tags/$ref", "POST Orders(77)/Lines",
            "POST Orders(77)/Depot.Close",
            "DELETE Orders(77)/Tags/$ref?$id=\(Self.root)Tags(Area='a',Code='b')",
        ] {
            depot.service.set(
                request,
                HTTPResponse(status: 204, headers: ["Location": "Orders(77)/Lines(1)"])
            )
        }
        depot.service.set(
            "POST Items",
            Depot.created(#"{"ID":1,"OrderID":77}"#),
            Depot.created(#"{"ID":2,"OrderID":77}"#)
        )
        depot.service.set("PATCH Items(1)", HTTPResponse(status: 204))
        depot.service.set("POST Tags", Depot.created(#"{"Area":"a","Code":"b"}"#))
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send("PATCH", "Orders(5)", #"{"Title":"b"}"#)
        await depot.send("POST", "Items", #"{"ID":1,"OrderID":5}"#)
        await depot.send("POST", "Items", #"{"ID":2,"Order@odata.bind":"Orders(5)"}"#)
        await depot.send("POST", "Orders(5)/Lines", #"{"Number":1}"#)
        await depot.send("POST", "Tags", #"{"Area":"a","Code":"b"}"#)
        await depot.send("POST", "Orders(5)/Tags/$ref", #"{"@odata.id":"Tags(Area='a',Code='b')"}"#)
        await depot.send("POST", "Orders(5)/Depot.Close")
        await depot.send("DELETE", "Orders(5)/Tags/$ref?$id=Tags(Area='a',Code='b')")
        try await depot.provider.upload()
        #expect(!depot.changes.contains { $0.contains("(5)") }, "\(depot.changes)")
        #expect(depot.changes.contains("PATCH Orders(77)"), "\(depot.changes)")
        #expect(depot.changes.contains("POST Orders(77)/Lines"))
        #expect(depot.changes.contains("POST Orders(77)/Tags/$ref"))
        #expect(depot.changes.contains("POST Orders(77)/Depot.Close"))
        // An entity-id that is no URL of the service names the entity as it is.
        let isURN = answer.headers["OData-EntityId"]?.hasPrefix("urn:") == true
        let order = isURN ? "urn:order:77" : "Orders(77)"
        #expect(
            depot.bodies("POST Items") == [
                #"{"ID":1,"OrderID":77}"#, #"{"ID":2,"Order@odata.bind":"\#(order)"}"#,
            ]
        )
        #expect(try await depot.queue() == [])
        #expect(try await depot.provider.errorArchive().map(\.url) == [])
        let items = await depot.text("Items?$select=OrderID&$orderby=ID")
        #expect(items == #"{"value":[{"ID":1,"OrderID":77},{"ID":2,"OrderID":77}]}"#)
    }

    /// Keys of other types, in the forms in which services write them.
    @Test(arguments: [
        ("Tags(Area='x%20y',Code='c%2Fd')", "Tags(Area='x%20y',Code='c%2Fd')"),
        ("Tags(Code='c%2fd',Area='x y')", "Tags(Area='x%20y',Code='c%2Fd')"),
        ("tags/x", "Tags(Area='a',Code='b')"),
    ])
    func readsEncodedKeys(_ location: String, _ url: String) async throws {
        let depot = try await Depot()
        depot.service.set(
            "POST Tags",
            HTTPResponse(status: 204, headers: ["OData-EntityId": Self.root + location])
        )
        depot.service.set("GET \(location)", RecordedService.json(#"{"Area":"a","Code":"b"}"#))
        await depot.send("POST", "Tags", #"{"Area":"a","Code":"b","Text":"t"}"#)
        await depot.send("PATCH", "Tags(Area='a',Code='b')", #"{"Text":"u"}"#)
        try await depot.provider.upload()
        let sent = depot.changes.last
        #expect(sent == "PATCH \(url)" || sent == "PATCH \(location)", "\(depot.changes)")
    }

    /// Requests in every state follow: refused, parked, retried, edited.
    @Test func refusedRequestsFollowToo() async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.created(#"{"ID":77}"#))
        depot.service.set(
            "PATCH Orders(77)",
            RecordedService.json(#"{"error":{"code":"x","message":"no"}}"#, status: 400)
        )
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send("PATCH", "Orders(5)", #"{"Title":"b"}"#)
        await depot.send("POST", "Items", #"{"ID":1,"OrderID":5}"#)
        depot.service.set(
            "POST Items",
            RecordedService.json(#"{"error":{"code":"x","message":"no"}}"#, status: 400)
        )
        try await depot.provider.upload()
        let refused = try await depot.provider.errorArchive()
        #expect(refused.map(\.url) == ["Orders(77)", "Items"])
        #expect(refused.last?.body == #"{"ID":1,"OrderID":77}"#)
        depot.service.set("PATCH Orders(77)", HTTPResponse(status: 204))
        depot.service.set("POST Items", Depot.created(#"{"ID":1}"#))
        for request in refused { try await depot.provider.retryRequest(request.id) }
        depot.service.clearLog()
        try await depot.provider.upload()
        #expect(depot.changes == ["PATCH Orders(77)", "POST Items"])
        #expect(depot.bodies("POST Items") == [#"{"ID":1,"OrderID":77}"#])
    }

    /// A stranger's entity has the key that was sent: it is neither changed nor lost here.
    @Test func leavesTheEntityThatHasTheSentKeyAlone() async throws {
        let depot = try await Depot()
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"mine"}"#)
        depot.service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":5,"Title":"theirs"}]}"#)
        )
        depot.service.set("GET Items", RecordedService.json(#"{"value":[{"ID":9,"OrderID":5}]}"#))
        try await depot.provider.download()
        depot.service.set("POST Orders", Depot.created(#"{"ID":77,"Title":"mine"}"#))
        try await depot.provider.upload()
        #expect(
            await depot.text("Orders?$orderby=ID&$select=ID,Title")
                == #"{"value":[{"ID":5,"Title":"theirs"},{"ID":77,"Title":"mine"}]}"#
        )
        let items = await depot.text("Items?$select=OrderID")
        #expect(items == #"{"value":[{"ID":9,"OrderID":5}]}"#)
        depot.service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":5,"Title":"theirs"},{"ID":77,"Title":"mine"}]}"#)
        )
        try await depot.provider.download()
        #expect(
            await depot.text("Orders?$orderby=ID&$select=ID,Title")
                == #"{"value":[{"ID":5,"Title":"theirs"},{"ID":77,"Title":"mine"}]}"#
        )
    }

    /// A delete of what was created under another key goes to the entity itself.
    @Test func deletesTheEntityWithTheKeyTold() async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.created(#"{"ID":77}"#))
        depot.service.set("DELETE Orders(77)", HTTPResponse(status: 204))
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send("DELETE", "Orders(5)")
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders", "DELETE Orders(77)"])
        #expect(await depot.text("Orders") == #"{"value":[]}"#)
        #expect(try await depot.queue() == [])
    }

    /// Requests to the key that was sent, which would create what they do not find.
    struct Upsert: Sendable, CustomTestStringConvertible {
        var method: String
        var headers: HTTPHeaders = [:]
        var testDescription: String { "\(method) \(headers.fields.map(\.value))" }
    }

    /// A later upsert makes no second entity, under the key that was sent, and changes no stranger.
    @Test(arguments: [
        Upsert(method: "PUT"), Upsert(method: "PATCH"),
        Upsert(method: "PUT", headers: ["If-Match": "*"]),
        Upsert(method: "PUT", headers: ["Prefer": "return=minimal"]),
    ])
    func sendsALaterUpsertToTheKeyTold(_ upsert: Upsert) async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.created(#"{"ID":77,"Title":"a"}"#))
        depot.service.set("\(upsert.method) Orders(77)", Depot.silent)
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        var request = HTTPRequest(
            method: upsert.method,
            url: "Orders(5)",
            headers: upsert.headers,
            body: Array(#"{"Title":"b","Note":"n"}"#.utf8)
        )
        request.headers["Content-Type"] = "application/json"
        #expect(await depot.provider.respond(to: request).isSuccess)
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders", "\(upsert.method) Orders(77)"])
        let sent = depot.service.log.first { $0.url.hasSuffix("Orders(77)") }
        #expect(sent?.headers["If-Match"] == "*")
        #expect(try await depot.queue() == [])
        #expect(
            await depot.text("Orders") == #"{"value":[{"ID":77,"Title":"b","Note":"n"}]}"#
        )
    }

    /// The same by the provider's own words.
    @Test func updatesTheEntityWithTheKeyToldWhereItIsThere() async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.created(#"{"ID":77,"Title":"a"}"#))
        depot.service.set("PATCH Orders(77)", Depot.silent)
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        try await depot.provider.upsertEntity(
            EntityValue(entitySet: "Orders", ["ID": 5, "Title": "b"])
        )
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders", "PATCH Orders(77)"])
        #expect(try await depot.queue() == [])
    }
}
