import OfflineOData
import ODataHTTP
import Testing

/// What goes up to a service that answers nothing but Atom (OData 2.0 Operations; OData 3.0 Atom Format).
@Suite struct AtomUploadTests {
    private let xml = #"<?xml version="1.0" encoding="utf-8"?>"#
    private let entry =
        #"<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">"#
    private let rest = "<title/><updated>1970-01-01T00:00:00Z</updated><author><name/></author>"

    private func category(_ type: String) -> String {
        "<category term=\"Shop.\(type)\" scheme=\"\(AtomShop.scheme)\"/>"
    }

    private func body(_ request: HTTPRequest) -> String {
        String(decoding: request.body, as: UTF8.self)
    }

    @Test func sendsAMergeWithTheETag() async throws {
        let shop = try await AtomShop.opened()
        var order = try await shop.entity("Orders(1)")
        order["Title"] = " a<b "
        order["Open"] = true
        order["Total"] = .number("12.50")
        order["At"] = "2024-02-29T12:00:00Z"
        order["Length"] = "01:30:00"
        order["Data"] = "AQID"
        order["Ship"] = .object([(name: "City", value: "Bonn"), (name: "Zip", value: 5)])
        order["Tags"] = .collection(["x", ""])
        order["Stops"] = .collection([
            .object([(name: "City", value: .null), (name: "Zip", value: 1)])
        ])
        try await shop.provider.updateEntity(order)
        shop.service.set("MERGE Orders(1)", HTTPResponse(status: 204, headers: ["ETag": "W/\"2\""]))
        try await shop.provider.upload()
        let request = try #require(shop.sent.last)
        #expect(request.method == "MERGE")
        #expect(request.headers["If-Match"] == "W/\"1\"")
        #expect(request.headers["Content-Type"] == "application/atom+xml;type=entry")
        #expect(request.headers["DataServiceVersion"] == "3.0")
        #expect(
            body(request)
                == xml + entry + category("Order") + "<id>http://service.test/odata/Orders(1)</id>"
                + rest
                + #"<content type="application/xml"><m:properties><d:ID m:type="Edm.Int32">1</d:ID>"#
                + #"<d:Title xml:space="preserve"> a&lt;b </d:Title><d:Open m:type="Edm.Boolean">true</d:Open>"#
                + #"<d:Total m:type="Edm.Decimal">12.50</d:Total><d:At m:type="Edm.DateTime">2024-02-29T12:00:00</d:At>"#
                + #"<d:Length m:type="Edm.Time">PT1H30M</d:Length><d:Data m:type="Edm.Binary">AQID</d:Data>"#
                + #"<d:Ship m:type="Shop.Address"><d:City>Bonn</d:City><d:Zip m:type="Edm.Int32">5</d:Zip></d:Ship>"#
                + #"<d:Tags m:type="Collection(Edm.String)"><d:element>x</d:element><d:element/></d:Tags>"#
                + #"<d:Stops m:type="Collection(Shop.Address)"><d:element m:type="Shop.Address"><d:City m:null="true"/><d:Zip m:type="Edm.Int32">1</d:Zip></d:element></d:Stops>"#
                + "</m:properties></content></entry>"
        )
        #expect(try await shop.provider.requestQueueIsEmpty())
    }

    @Test func createsAndTakesTheKeyOfTheAnswer() async throws {
        let shop = try await AtomShop.opened()
        try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["Name": "Door"]))
        shop.service.set(
            "POST Items",
            AtomShop.atom(
                AtomShop.item(77, "Door", AtomShop.root),
                status: 201,
                headers: ["Location": "http://service.test/odata/Items(77L)"]
            )
        )
        try await shop.provider.upload()
        #expect(
            shop.service.bodies(of: "POST Items") == [
                xml + entry + category("Item") + "<id/>" + rest
                    + #"<content type="application/xml"><m:properties><d:Name>Door</d:Name></m:properties></content></entry>"#
            ]
        )
        #expect(try await shop.entity("Items(77)")["Name"]?.stringValue == "Door")
        #expect(try await shop.provider.requestQueueIsEmpty())
    }

    @Test func createsWithReferencesAndInlineEntities() async throws {
        let shop = try await AtomShop.opened()
        shop.service.set(
            "POST Orders",
            AtomShop.atom(AtomShop.order(2, AtomShop.root), status: 201)
        )
        shop.service.set(
            "POST Items",
            AtomShop.atom(AtomShop.item(9, "x", AtomShop.root), status: 201)
        )
        for (url, json) in [
            ("Orders", #"{"ID":2,"Items":[{"ID":"10","Name":"in"}]}"#),
            ("Items", #"{"ID":"9","Order@odata.bind":"Orders(1)"}"#),
        ] {
            let answer = await shop.provider.respond(
                to: HTTPRequest(
                    method: "POST",
                    url: url,
                    headers: ["Content-Type": "application/json"],
                    body: Array(json.utf8)
                )
            )
            #expect(answer.isSuccess, "\(answer.text)")
        }
        _ = try? await shop.provider.upload()
        let order = try #require(shop.service.bodies(of: "POST Orders").first)
        #expect(
            order.contains(
                "<link rel=\"\(AtomShop.related)Items\" type=\"application/atom+xml;type=feed\" title=\"Items\"><m:inline><feed>"
                    + "<entry>\(category("Item"))<id/>"
            ),
            "\(order)"
        )
        let item = try #require(shop.service.bodies(of: "POST Items").first)
        #expect(
            item.contains(
                "<link rel=\"\(AtomShop.related)Order\" type=\"application/atom+xml;type=entry\" title=\"Order\" href=\"http://service.test/odata/Orders(1)\"/>"
            ),
            "\(item)"
        )
    }

    /// RFC 4287 § 4.2.6: an id need not be the address of the entity, which links of versions 1 to 3 lead to.
    @Test(arguments: ["urn:x:1", "tag:service.test,2024:1"])
    func leadsToTheAddressOfAnEntityWhoseIDIsNone(_ id: String) async throws {
        let shop = try await AtomShop.opened(
            orders: AtomShop.order(1).replacing("http://service.test/odata/Orders(1)", with: id)
        )
        for (method, url, json) in [
            ("POST", "Items", #"{"ID":"9","Order@odata.bind":"Orders(1)"}"#),
            ("PUT", "Items(8L)/$links/Order", #"{"uri":"Orders(1)"}"#),
        ] {
            let answer = await shop.provider.respond(
                to: HTTPRequest(
                    method: method,
                    url: url,
                    headers: ["Content-Type": "application/json"],
                    body: Array(json.utf8)
                )
            )
            #expect(answer.isSuccess, "\(answer.text)")
        }
        shop.service.set(
            "POST Items",
            AtomShop.atom(AtomShop.item(9, "x", AtomShop.root), status: 201)
        )
        shop.service.set("PUT Items(8L)/$links/Order", HTTPResponse(status: 204))
        try await shop.provider.upload()
        let item = try #require(shop.service.bodies(of: "POST Items").first)
        #expect(item.contains("href=\"http://service.test/odata/Orders(1)\"/>"), "\(item)")
        let link = try #require(shop.service.bodies(of: "PUT Items(8L)/$links/Order").first)
        #expect(link.contains(">http://service.test/odata/Orders(1)</uri>"), "\(link)")
    }

    @Test func deletesWithTheETag() async throws {
        let shop = try await AtomShop.opened()
        try await shop.provider.deleteEntity(try await shop.entity("Orders(1)"))
        shop.service.set("DELETE Orders(1)", HTTPResponse(status: 204))
        try await shop.provider.upload()
        let request = try #require(shop.sent.last)
        #expect(request.method == "DELETE")
        #expect(request.headers["If-Match"] == "W/\"1\"")
        #expect(try await shop.provider.executeQuery("Orders").isEmpty)
    }

    @Test func replacesWithPUT() async throws {
        let shop = try await AtomShop.opened()
        var item = try await shop.entity("Items(8)")
        item["Name"] = "New"
        let options = OfflineODataRequestOptions()
        options.updateMode = .replace
        try await shop.provider.updateEntity(item, options: options)
        shop.service.set("PUT Items(8L)", HTTPResponse(status: 204))
        try await shop.provider.upload()
        let request = try #require(shop.sent.last)
        #expect(request.method == "PUT")
        #expect(body(request).contains("<d:ID m:type=\"Edm.Int64\">8</d:ID><d:Name>New</d:Name>"))
    }

    @Test func changesLinks() async throws {
        let shop = try await AtomShop.opened()
        let order = try await shop.entity("Orders(1)")
        let item = try await shop.entity("Items(8)")
        try await shop.provider.createLink(from: item, property: "Order", to: order)
        shop.service.set("PUT Items(8L)/$links/Order", HTTPResponse(status: 204))
        try await shop.provider.upload()
        let put = try #require(shop.sent.last)
        #expect(put.headers["Content-Type"] == "application/xml")
        #expect(
            body(put)
                == xml
                + #"<uri xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">http://service.test/odata/Orders(1)</uri>"#
        )
        try await shop.provider.deleteLink(from: item, property: "Order", to: order)
        shop.service.set("DELETE Items(8L)/$links/Order", HTTPResponse(status: 204))
        try await shop.provider.upload()
        #expect(shop.sent.last?.method == "DELETE")
        #expect(shop.sent.last?.body.isEmpty == true)
        #expect(try await shop.provider.requestQueueIsEmpty())
    }

    @Test func sendsAndReadsMedia() async throws {
        let shop = try await AtomShop.opened()
        let provider = shop.provider
        let photo = try await shop.entity("Photos(5)")
        let (stored, posted) = (Array("old".utf8), Array("new".utf8))
        shop.service.set(
            "GET Photos(5)/$value",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "image/png", "ETag": "\"a\""],
                body: stored
            )
        )
        try await provider.retrieveMedia(of: "Photos(5)")
        let content = try #require(try await provider.stream("Photos(5)/$value"))
        #expect(content.contentType == "image/png")

        try await provider.uploadMedia(of: photo, content: posted, contentType: "image/png")
        shop.service.set(
            "PUT Photos(5)/$value",
            HTTPResponse(status: 204, headers: ["ETag": "\"b\""])
        )
        try await provider.upload()
        let put = try #require(shop.sent.last { $0.method == "PUT" })
        #expect(put.body == posted)
        #expect(put.headers["Content-Type"] == "image/png")

        try await provider.createMedia(
            EntityValue(entitySet: "Photos"),
            content: posted,
            contentType: "image/png"
        )
        shop.service.set(
            "POST Photos",
            AtomShop.atom(
                AtomShop.photo(6, AtomShop.root),
                status: 201,
                headers: ["Location": "http://service.test/odata/Photos(6)"]
            )
        )
        try await provider.upload()
        #expect(shop.sent.last { $0.method == "POST" }?.body == posted)
        var created = try await shop.entity("Photos(6)")
        created["Name"] = "m"
        try await provider.updateEntity(created)
        shop.service.set("MERGE Photos(6)", HTTPResponse(status: 204))
        try await provider.upload()
        let merge = try #require(shop.service.bodies(of: "MERGE Photos(6)").first)
        #expect(
            merge.hasSuffix(
                "</author><m:properties><d:ID m:type=\"Edm.Int32\">6</d:ID><d:Name>m</d:Name></m:properties></entry>"
            ),
            "\(merge)"
        )
    }

    @Test func archivesARefusalWithTheServicesWords() async throws {
        let shop = try await AtomShop.opened()
        var order = try await shop.entity("Orders(1)")
        order["Title"] = "x"
        try await shop.provider.updateEntity(order)
        shop.service.set("MERGE Orders(1)", AtomShop.error("too long", status: 400))
        let result = try await shop.provider.upload()
        #expect(result.failedCount == 1)
        let archived = try #require(try await shop.provider.errorArchive().first)
        #expect(archived.failure?.code == "E1")
        #expect(archived.failure?.message.contains("too long") == true)
    }

    @Test func keepsTheServersVersionAfterAConflict() async throws {
        let shop = try await AtomShop.opened()
        var order = try await shop.entity("Orders(1)")
        order["Title"] = "mine"
        try await shop.provider.updateEntity(order)
        shop.service.set("MERGE Orders(1)", AtomShop.error("changed", status: 412))
        shop.service.set(
            "GET Orders(1)",
            AtomShop.atom(AtomShop.order(1, "<d:Title>theirs</d:Title>", etag: "2", AtomShop.root))
        )
        _ = try await shop.provider.upload()
        let conflict = try await shop.provider.conflict(for: "Orders(1)")
        #expect(conflict.server?["Title"]?.stringValue == "theirs")
    }

    @Test func putsAtomIntoBatches() async throws {
        let shop = try await AtomShop.opened()
        for number in [20, 21] {
            try await shop.provider.createEntity(
                EntityValue(entitySet: "Items", ["ID": .integer(Int64(number))])
            )
        }
        let parts = [20, 21].map { number in
            """
            --r\r\nContent-Type: multipart/mixed; boundary=c\(number)\r\n\r\n\
            --c\(number)\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\n\
            Content-Type: application/atom+xml\r\n\r\n\(AtomShop.item(number, "from the service", AtomShop.root))\r\n--c\(number)--\r\n
            """
        }
        shop.service.set(
            "POST $batch",
            HTTPResponse(
                status: 202,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array((parts.joined() + "--r--").utf8)
            )
        )
        #expect(try await shop.provider.upload().succeededCount == 2)
        let batch = try #require(shop.service.bodies(of: "POST $batch").first)
        #expect(batch.components(of: "Content-Type: application/atom+xml;type=entry") == 2)
        #expect(batch.components(of: "<d:ID m:type=\"Edm.Int64\">2") == 2)
    }

    @Test func remembersTheFormatWithTheStore() async throws {
        let shop = try await AtomShop.opened()
        try await shop.provider.close()
        let provider = try shop.service.provider()
        try await provider.open()
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "later"
        try await provider.updateEntity(order)
        shop.service.set("MERGE Orders(1)", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(shop.service.bodies(of: "MERGE Orders(1)").first?.hasPrefix(xml + "<entry") == true)
    }
}
