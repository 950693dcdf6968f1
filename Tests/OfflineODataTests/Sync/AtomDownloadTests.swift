import OfflineOData
import ODataHTTP
import Testing

/// What comes down from a service that answers nothing but Atom.
@Suite struct AtomDownloadTests {
    @Test func asksForJSONFirst() async throws {
        let shop = try await AtomShop.opened()
        try await shop.provider.download()
        let accepted = shop.service.log.first { $0.url.hasSuffix("/Orders") }?.headers["Accept"]
        #expect(
            accepted
                == "application/json;odata=verbose,application/atom+xml;q=0.9,application/xml;q=0.8"
        )
    }

    @Test func loadsValuesOfAllKinds() async throws {
        let shop = try await AtomShop.opened(
            orders: AtomShop.order(
                7,
                """
                <d:Title> a &amp; b
                </d:Title><d:Open>true</d:Open><d:Total m:type="Edm.Decimal">12.50</d:Total>
                <d:At m:type="Edm.DateTime">2012-01-01T00:00:00</d:At><d:Length m:type="Edm.Time">PT13H20M</d:Length>
                <d:Data m:type="Edm.Binary">AQ
                ID</d:Data><d:Ship m:type="Shop.Address"><d:City>Bonn</d:City><d:Zip m:type="Edm.Int32">53111</d:Zip></d:Ship>
                <d:Tags m:type="Collection(Edm.String)"><d:element>x</d:element><d:element>y</d:element></d:Tags>
                <d:Stops m:type="Collection(Shop.Address)"><d:element><d:City m:null="true"/><d:Zip m:type="Edm.Int32">1</d:Zip></d:element></d:Stops>
                <d:Rank m:type="Edm.Int64">9007199254740993</d:Rank>
                """,
                type: "Rush"
            )
        )
        let text = await shop.provider.respond(to: HTTPRequest(method: "GET", url: "Orders(7)"))
            .text
        for part in [
            #""Title":" a & b\n""#, #""Open":true"#, #""Total":"12.50""#, "1325376000000",
            #""Length":"PT13H20M""#, #""Data":"AQID""#, #""City":"Bonn","Zip":53111"#,
            #"["x","y"]"#, #"{"City":null,"Zip":1}"#, #""Rank":"9007199254740993""#,
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(text.contains("Shop.Rush"))
    }

    @Test func keepsNulls() async throws {
        let shop = try await AtomShop.opened(
            orders: AtomShop.order(
                1,
                #"<d:Title m:null="true"/><d:Ship m:type="Shop.Address" m:null="true"/>"#
            )
        )
        #expect(
            try await shop.provider.executeQuery("Orders?$filter=Title eq null and Ship eq null")
                .count == 1
        )
    }

    @Test func readsATooLongQueryInABatch() async throws {
        let service = try RecordedService(metadata: AtomShop.model)
        service.set("GET Orders?$filter=ID ne 5", HTTPResponse(status: 414))
        service.set("GET Orders?$filter=ID%20ne%205", HTTPResponse(status: 414))
        let page = AtomShop.feed(AtomShop.order(1, "<d:Title>one</d:Title>"))
        let part =
            "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n"
            + "Content-Type: application/atom+xml;type=feed;charset=utf-8\r\n\r\n"
            + String(decoding: page.body, as: UTF8.self) + "\r\n--r--"
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(part.utf8)
            )
        )
        let provider = try await service.opened(["Orders?$filter=ID ne 5"])
        let titles = try await provider.executeQuery("Orders").map { $0["Title"]?.stringValue }
        #expect(titles == ["one"])
    }

    @Test func tellsWhyATooLongQueryIsRefusedInABatch() async throws {
        let service = try RecordedService(metadata: AtomShop.model)
        service.set("GET Orders?$filter=ID ne 5", HTTPResponse(status: 414))
        service.set("GET Orders?$filter=ID%20ne%205", HTTPResponse(status: 414))
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(
                    ("--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 403 Forbidden\r\n"
                        + "Content-Type: application/json\r\n\r\n"
                        + "{\"error\":{\"code\":\"1\",\"message\":{\"value\":\"not you\"}}}\r\n--r--")
                        .utf8
                )
            )
        )
        let error = await #expect(throws: OfflineODataError.self) {
            _ = try await service.opened(["Orders?$filter=ID ne 5"])
        }
        #expect(error?.message.contains("not you") == true)
    }

    @Test func followsNextLinks() async throws {
        let service = try RecordedService(metadata: AtomShop.model)
        service.set(
            "GET Orders",
            AtomShop.feed(AtomShop.order(1) + AtomShop.order(2), next: "Orders?$skiptoken=2")
        )
        service.set(
            "GET Orders?$skiptoken=2",
            AtomShop.feed(
                AtomShop.order(3),
                next: "http://service.test/odata/Orders?$skiptoken=3&amp;x=1"
            )
        )
        service.set("GET Orders?$skiptoken=3&x=1", AtomShop.feed(AtomShop.order(4)))
        let provider = try await service.opened(["Orders"])
        #expect(try await provider.executeQuery("Orders").count == 4)
        // A later load goes by way of the staging file.
        service.set("GET Orders?$skiptoken=3&x=1", AtomShop.feed(""))
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").count == 3)
    }

    @Test func readsWhatIsExpandedInline() async throws {
        let service = try RecordedService(metadata: AtomShop.model)
        let inline =
            "<m:inline><feed>\(AtomShop.item(8, "Lamp"))\(AtomShop.item(9, "Desk"))</feed></m:inline>"
        service.set(
            "GET Orders?$expand=Items",
            AtomShop.feed(
                AtomShop.order(1, items: inline) + AtomShop.order(2, items: "<m:inline/>")
            )
        )
        let back = AtomShop.item(10, "Door").replacing(
            "href=\"Items(10L)/Order\"/>",
            with: "href=\"Items(10L)/Order\"><m:inline>\(AtomShop.order(2))</m:inline></link>"
        )
        service.set("GET Items?$expand=Order", AtomShop.feed(back))
        let provider = try await service.opened(["Orders?$expand=Items", "Items?$expand=Order"])
        #expect(try await provider.executeQuery("Orders(1)/Items").count == 2)
        #expect(try await provider.executeQuery("Orders(2)/Items").count == 1)
        #expect(try await provider.executeQuery("Items(9)/Order").first?["ID"]?.integerValue == 1)
    }

    @Test func loadsOneEntity() async throws {
        let service = try RecordedService(metadata: AtomShop.model)
        service.set(
            "GET Orders(1)",
            AtomShop.atom(AtomShop.order(1, "<d:Title>x</d:Title>", AtomShop.root))
        )
        let provider = try await service.opened(["Orders(1)"])
        #expect(try await provider.executeQuery("Orders").first?["Title"]?.stringValue == "x")
    }

    @Test func followsADeltaLink() async throws {
        let service = try RecordedService(metadata: AtomShop.model)
        let delta = "<link rel=\"delta\" href=\"Orders?!deltatoken=1\"/>"
        service.set("GET Orders", AtomShop.feed(AtomShop.order(1) + AtomShop.order(2) + delta))
        service.set(
            "GET Orders?!deltatoken=1",
            AtomShop.feed(
                AtomShop.order(3)
                    + "<at:deleted-entry xmlns:at=\"http://purl.org/atompub/tombstones/1.0\" ref=\"Orders(1)\" when=\"x\"/>"
            )
        )
        let provider = try await service.opened(["Orders"])
        try await provider.download()
        #expect(
            try await provider.executeQuery("Orders?$orderby=ID").compactMap {
                $0["ID"]?.integerValue
            } == [2, 3]
        )
    }

    @Test(arguments: [
        ("<feed\(AtomShop.root)>\n<entry></feed>", "line 2"),
        ("<feed\(AtomShop.root)>" + AtomShop.order(1), "ends too early"),
        ("<!DOCTYPE x [<!ENTITY a \"b\">]><feed\(AtomShop.root)/>", "DOCTYPE"),
        ("<feed xmlns=\"urn:other\"/>", "urn:other"), ("{\"d\":[]}", "well-formed"), ("", "empty"),
        (
            "<feed\(AtomShop.root)>\n<entry><content type=\"application/xml\"><m:properties>\n<d:ID>x</d:ID></m:properties></content></entry></feed>",
            "line 3"
        ),
        (
            "<feed\(AtomShop.root)><m:error><m:code/><m:message>broken</m:message></m:error></feed>",
            "broken"
        ),
    ])
    func keepsWhatItHasWhereAnAnswerIsWrong(_ body: String, _ word: String) async throws {
        let shop = try await AtomShop.opened()
        shop.service.set("GET Orders", AtomShop.atom(body, type: "application/atom+xml;type=feed"))
        let error = await #expect(throws: OfflineODataError.self) {
            try await shop.provider.download()
        }
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
        #expect(try await shop.provider.executeQuery("Orders").count == 1)
    }

    @Test func keepsReadingWhereTheServiceAnswersJSONOneDay() async throws {
        let shop = try await AtomShop.opened()
        let json = #"{"d":{"results":[{"ID":1,"Title":"from JSON"}]}}"#
        shop.service.set("GET Orders", RecordedService.json(json))
        shop.service.set("GET Items", RecordedService.json(#"{"d":{"results":[]}}"#))
        shop.service.set("GET Photos", RecordedService.json(#"{"d":{"results":[]}}"#))
        try await shop.provider.download()
        var order = try await shop.entity("Orders(1)")
        #expect(order["Title"]?.stringValue == "from JSON")
        order["Title"] = "x"
        try await shop.provider.updateEntity(order)
        shop.service.set("MERGE Orders(1)", HTTPResponse(status: 204))
        try await shop.provider.upload()
        #expect(shop.service.bodies(of: "MERGE Orders(1)").first?.hasPrefix("{") == true)
    }
}
