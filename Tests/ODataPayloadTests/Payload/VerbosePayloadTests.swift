import ODataPayload
import TestSupport
import Testing

/// Payloads of versions 1 to 3.
@Suite struct VerbosePayloadTests {
    private func read(_ payload: String, set: String = "Customers", pieces: Int = .max) throws
        -> Reading
    {
        try readPayload(payload, ShopModel.v2, set: set, pieces: pieces)
    }

    static let page = """
        {"d":{"__count":"12","results":[
          {"__metadata":{"uri":"http://h/Customers('A')","type":"Shop.Customer","etag":"W/\\"1\\"","media_src":"m","edit_media":"e","content_type":"t"},
           "ID":"A","Age":"7","Rating":"1.5E0","Balance":"2.50","Active":true,"Home":{"__metadata":{"type":"Shop.Address"},"City":"x","Zip":1},
           "Tags":{"__metadata":{"type":"Collection(Edm.String)"},"results":["a"]},
           "Orders":{"__deferred":{"uri":"http://h/Customers('A')/Orders"}},"LastOrder":{"__metadata":{"uri":"http://h/Orders(1)"},"ID":"1"}},
          {"ID":"B","Orders":{"results":[{"ID":"2","Total":"3.10","At":"/Date(1709208000000)/"}],"__next":"more"},"LastOrder":null}],
         "__next":"http://h/Customers?$skiptoken=2"}}
        """

    @Test(arguments: [1, 5, Int.max])
    func readsAPage(_ pieces: Int) throws {
        let reading = try read(Self.page, pieces: pieces)
        #expect(
            reading.lines == [
                "begin Customer", "  type Customer", "  @etag W/\"1\"", "  @mediaReadLink m",
                "  @mediaEditLink e",
                "  @mediaContentType t", "  @id http://h/Customers('A')", "  ID 'A'", "  Age = 7",
                "  Rating ~ 1.5",
                "  Balance '25000125'", "  Balance exactly 2.50", "  Active = 1", "  Home = 1",
                "  Home/City 'x'",
                "  Home/Zip = 1", "  Tags '[\"a\"]'", "  LastOrder [", "    begin Order",
                "      @id http://h/Orders(1)",
                "      ID = 1", "    end", "  ]", "end",
                "begin Customer", "  ID 'B'", "  Orders [", "    begin Order", "      ID = 2",
                "      Total = 310",
                "      Total exactly 3.10", "      At = 638448048000000000", "    end",
                "  ] next more", "  LastOrder [", "  ]", "end",
            ]
        )
        #expect(reading.info.count == 12)
        #expect(reading.info.nextLink == "http://h/Customers?$skiptoken=2")
    }

    @Test(arguments: [
        #"{"d":[{"ID":"A"}]}"#, #"{"d":{"results":[{"ID":"A"}]}}"#, #"{"d":{"ID":"A"}}"#,
        #"{"ID":"A"}"#,
        #"{"odata.metadata":"http://h/$metadata#Customers","value":[{"ID":"A"}]}"#,
    ])
    func readsEveryEnvelope(_ payload: String) throws {
        #expect(try read(payload).lines == ["begin Customer", "  ID 'A'", "end"])
    }

    @Test func readsNoEntity() throws {
        #expect(try read(#"{"d":null}"#).info.entityCount == 0)
        #expect(throws: PayloadError.self) { try read(#"{"d":1}"#) }
    }

    @Test func readsALinkThatIsAnObject() throws {
        #expect(
            try read(#"{"d":{"results":[],"__next":{"uri":"n"},"__delta":"t"}}"#).info.nextLink
                == "n"
        )
        #expect(try read(#"{"d":{"results":[],"__delta":"t"}}"#).info.deltaLink == "t")
    }

    @Test func readsTombstones() throws {
        let reading = try read(
            """
            {"d":{"results":[{"__metadata":{"id":"i","uri":"u","type":"Shop.Customer"},"ID":"A"},
             {"@odata.context":"$metadata#Customers/$deletedEntity","id":"http://h/Customers('B')"}],"__delta":"http://h/d"}}
            """
        )
        #expect(
            reading.lines == [
                "begin Customer", "  type Customer", "  @id i", "  @editLink u", "  ID 'A'", "end",
                "removed http://h/Customers('B') deleted",
            ]
        )
    }

    @Test func readsReferences() throws {
        let reading = try read(#"{"ID":"A","LastOrder":{"__metadata":{"uri":"Orders(1)"}}}"#)
        #expect(
            reading.lines == [
                "begin Customer", "  ID 'A'", "  LastOrder [", "    bind LastOrder -> Orders(1)",
                "  ]", "end",
            ]
        )
    }

    @Test func readsTheLinksOfVersion3() throws {
        let reading = try read(
            """
            {"odata.metadata":"http://h/$metadata#Customers","odata.count":"3","value":[{"odata.type":"Shop.VIP","odata.id":"i",
             "odata.etag":"e","ID":"A","Orders@odata.navigationLinkUrl":"x"}],"odata.nextLink":"n"}
            """
        )
        #expect(
            reading.lines == [
                "begin Customer", "  type VIP", "  @id i", "  @etag e", "  ID 'A'", "end",
            ]
        )
        #expect(reading.info.count == 3)
        #expect(reading.info.nextLink == "n")
    }

    @Test func readsControlInformationThatStandsLast() throws {
        let reading = try read(
            #"{"d":{"ID":1,"__metadata":{"uri":"u","etag":"e","type":"Shop.Order"}}}"#,
            set: "Orders"
        )
        #expect(reading.lines == ["begin Order", "  ID = 1", "  @etag e", "  @id u", "end"])
    }

    @Test func readsATypeThatStandsLast() throws {
        let reading = try read(
            #"{"d":{"ID":"A","Discount":"0.5","__metadata":{"type":"Shop.VIP"}}}"#
        )
        #expect(
            reading.lines == [
                "begin Customer", "  type VIP", "  ID 'A'", "  Discount ~ 0.5", "end",
            ]
        )
    }

    @Test func saysThatAPayloadIsCutWhereverItIs() throws {
        let payload = Array(Self.page.utf8)
        for length in 0..<payload.count {
            do {
                _ = try readPayload(Array(payload[..<length]), ShopModel.v2, set: "Customers")
                Issue.record("read \(length) bytes without complaint")
            } catch let error as PayloadError {
                #expect(error.code == .truncated, "\(length): \(error)")
            }
        }
    }
}
