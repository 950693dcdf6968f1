import ODataPayload
import TestSupport
import Testing

/// Payloads of version 4: what the sink is told.
@Suite struct PayloadReaderTests {
    @Test func readsAPageOfACollection() throws {
        let reading = try readPayload(
            """
            {"@odata.context": "http://host/$metadata#Customers", "@odata.count": 7,
             "value": [
              {"@odata.etag": "W/\\"1\\"", "ID": "A", "Name": "Alf \\u00e4\\n", "Age": -5, "Balance": 1.50, "Rating": 2.5,
               "Active": true, "Key": "01234567-89ab-cdef-0123-456789abcdef", "Color": "Blue",
               "Home": {"City": "Köln", "Zip": 50667}, "Tags": ["a", {"b": [1, 2]}], "Extra": {"x": [null]}},
              {"ID": "B", "Name": null, "Age": null, "Home": null, "Tags": []}
             ],
             "@odata.nextLink": "Customers?$skiptoken=2"}
            """
        )
        #expect(
            reading.lines == [
                "begin Customer", "  @etag W/\"1\"", "  ID 'A'", "  Name 'Alf ä\n'", "  Age = -5",
                "  Balance '25000115'", "  Balance exactly 1.50", "  Rating ~ 2.5", "  Active = 1",
                "  Key x0123456789abcdef0123456789abcdef", "  Color = 2", "  Home = 1",
                "  Home/City 'Köln'", "  Home/Zip = 50667", "  Tags '[\"a\", {\"b\": [1, 2]}]'",
                "  dynamic Extra {\"x\": [null]}", "end",
                "begin Customer", "  ID 'B'", "  Name null", "  Age null", "  Home null",
                "  Home/City null", "  Home/Zip null", "  Tags '[]'", "end",
            ]
        )
        #expect(reading.info.context == "http://host/$metadata#Customers")
        #expect(reading.info.count == 7)
        #expect(reading.info.nextLink == "Customers?$skiptoken=2")
        #expect(reading.info.deltaLink == nil)
        #expect(reading.info.entityCount == 2)
    }

    @Test func readsEntitiesBehindControlInformationOfVersion3() throws {
        let reading = try readPayload(
            #"{"odata.metadata":"http://host/$metadata#Customers","odata.count":"1","value":[{"ID":"A"}]}"#
        )
        #expect(reading.lines == ["begin Customer", "  ID 'A'", "end"])
    }

    @Test func readsNamesWithoutPrefix() throws {
        let reading = try readPayload(
            #"{"@context":"$metadata#Customers","@count":"1","value":[{"@id":"Customers('A')","@etag":"x","ID":"A"}],"@deltaLink":"d"}"#
        )
        #expect(
            reading.lines == [
                "begin Customer", "  @id Customers('A')", "  @etag x", "  ID 'A'", "end",
            ]
        )
        #expect(reading.info.deltaLink == "d")
        #expect(reading.info.count == 1)
    }

    @Test(arguments: [
        #"{"@odata.context":"$metadata#Customers/$entity","ID":"A","@odata.editLink":"e"}"#,
        #"{"@odata.editLink":"e","ID":"A"}"#, #"  { "ID" : "A" , "@odata.editLink" : "e" }  "#,
    ])
    func readsASingleEntity(_ payload: String) throws {
        let reading = try readPayload(payload)
        #expect(reading.lines.sorted() == ["  @editLink e", "  ID 'A'", "begin Customer", "end"])
        #expect(reading.info.entityCount == 1)
    }

    @Test func readsAnEntityWithoutMembers() throws {
        #expect(try readPayload("{}").lines == ["begin Customer", "end"])
    }

    @Test func readsAnEmptyPage() throws {
        let reading = try readPayload(#"{"value":[]}"#)
        #expect(reading.lines.isEmpty)
        #expect(reading.info.entityCount == 0)
    }

    @Test func skipsAByteOrderMark() throws {
        #expect(try readPayload("\u{FEFF}{\"value\":[]}").info.entityCount == 0)
    }

    @Test func readsInlineEntitiesWithTheirNextLinks() throws {
        let reading = try readPayload(
            """
            {"value":[{"ID":"A","Orders@odata.context":"#Customers('A')/Orders","Orders":[
              {"ID":1,"Total":"12.30","At":"2024-02-29T12:00:00+01:00","Items":[{"ID":7,"Name":"x"}],"Items@odata.nextLink":"i"},
              {"ID":2}],"Orders@odata.count":9,"Orders@odata.nextLink":"o","LastOrder":null}]}
            """
        )
        #expect(
            reading.lines == [
                "begin Customer", "  ID 'A'", "  Orders [", "    begin Order", "      ID = 1",
                "      Total = 1230", "      Total exactly 12.30", "      At = 638448012000000000",
                "      At exactly 2024-02-29T12:00:00+01:00", "      Items [", "        begin Item",
                "          ID = 7", "          Name 'x'", "        end", "      ] next i",
                "    end",
                "    begin Order", "      ID = 2", "    end", "  ] next o", "  LastOrder [", "  ]",
                "end",
            ]
        )
    }

    @Test func readsANextLinkThatStandsBeforeItsEntities() throws {
        let reading = try readPayload(
            #"{"value":[{"Orders@odata.nextLink":"o","ID":"A","Orders":[]}]}"#
        )
        #expect(reading.lines == ["begin Customer", "  ID 'A'", "  Orders [", "  ] next o", "end"])
    }

    /// The order of members means nothing (OData JSON 4.01 § 4.4).
    @Test func readsANextLinkApartFromItsEntities() throws {
        let reading = try readPayload(
            #"{"value":[{"Orders":[],"ID":"A","Orders@odata.nextLink":"o"}]}"#
        )
        #expect(
            reading.lines == [
                "begin Customer", "  Orders [", "  ]", "  ID 'A'", "  Orders changes [",
                "  ] next o", "end",
            ]
        )
    }

    @Test func tellsANextLinkWithoutEntities() throws {
        let reading = try readPayload(#"{"value":[{"ID":"A","Orders@odata.nextLink":"o"}]}"#)
        #expect(
            reading.lines == [
                "begin Customer", "  ID 'A'", "  Orders changes [", "  ] next o", "end",
            ]
        )
    }

    @Test func readsReferences() throws {
        let reading = try readPayload(
            """
            {"ID":"A","LastOrder@odata.bind":"Orders(1)","Orders@odata.bind":["Orders(2)","Orders(3)"]}
            """
        )
        #expect(
            reading.lines == [
                "begin Customer", "  ID 'A'", "  bind LastOrder -> Orders(1)",
                "  bind Orders -> Orders(2)",
                "  bind Orders -> Orders(3)", "end",
            ]
        )
        let inline = try readPayload(
            #"{"LastOrder":{"@id":"Orders(1)"},"Orders":[{"@odata.id":"Orders(2)"},{"@id":"Orders(3)","ID":3}]}"#
        )
        #expect(
            inline.lines == [
                "begin Customer", "  LastOrder [", "    bind LastOrder -> Orders(1)", "  ]",
                "  Orders [",
                "    bind Orders -> Orders(2)", "    begin Order", "      @id Orders(3)",
                "      ID = 3",
                "    end", "  ]", "end",
            ]
        )
    }

    @Test(arguments: [
        ##"{"@odata.type":"#Shop.VIP","ID":"A","Discount":0.5}"##,
        ##"{"@type":"http://host/$metadata#Shop.VIP","ID":"A","Discount":0.5}"##,
        ##"{"ID":"A","@odata.type":"#Shop.VIP","Discount":0.5}"##,
        ##"{"ID":"A","Discount":0.5,"@type":"#Shop.VIP"}"##,
    ])
    func readsDerivedTypesWhereverTheyAreNamed(_ item: String) throws {
        let reading = try readPayload(#"{"value":[\#(item)]}"#)
        #expect(
            reading.lines == [
                "begin Customer", "  type VIP", "  ID 'A'", "  Discount ~ 0.5", "end",
            ]
        )
    }

    @Test func readsAnUnknownTypeAsTheOneExpected() throws {
        let reading = try readPayload(##"{"value":[{"@odata.type":"#Shop.New","ID":"A"}]}"##)
        #expect(reading.lines == ["begin Customer", "  ID 'A'", "end"])
        #expect(reading.info.diagnostics == [PayloadDiagnostic(.unknownType, "Shop.New")])
    }

    @Test func skipsUndeclaredMembersOfClosedTypes() throws {
        let reading = try readPayload(
            #"{"value":[{"ID":1,"New":[{}]},{"ID":2,"New":1}]}"#,
            set: "Orders"
        )
        #expect(
            reading.lines == ["begin Order", "  ID = 1", "end", "begin Order", "  ID = 2", "end"]
        )
        #expect(reading.info.diagnostics == [PayloadDiagnostic(.undeclaredMember, "New")])
    }

    /// The entity's type is open, that of the value is not.
    @Test func passesUndeclaredMembersOfClosedComplexValuesOver() throws {
        let reading = try readPayload(
            ##"{"Home":{"City":"a","Floor@odata.type":"#Int32","Floor":3}}"##
        )
        #expect(reading.lines == ["begin Customer", "  Home = 1", "  Home/City 'a'", "end"])
        #expect(reading.info.diagnostics == [PayloadDiagnostic(.undeclaredMember, "Home/Floor")])
    }

    /// OData JSON 4.01 § 4.6.3.
    @Test(arguments: [
        (##""@odata.type":"#Date""##, "#Date"), (##""@type":"#Date""##, "#Date"),
        (##""@type":"Date""##, "#Date"),
        (##""@odata.type":"#Collection(Shop.Address)""##, "#Collection(Shop.Address)"),
        (##""@type":"http://h/$metadata#Shop.Color""##, "#Shop.Color"),
        (##""@odata.type":"#\u0044ate""##, "#Date"),
    ])
    func keepsTheTypesOfDynamicProperties(_ annotation: String, _ type: String) throws {
        let reading = try readPayload("{\"Born\(annotation.dropFirst()),\"Born\":\"2020-01-01\"}")
        #expect(
            reading.lines == [
                "begin Customer", "  dynamic Born@odata.type \"\(type)\"",
                "  dynamic Born \"2020-01-01\"", "end",
            ]
        )
    }

    @Test(arguments: ["5", "null", #""""#, ##""#""##, ##""#a b""##, ##""#Collection()""##, "{}"])
    func passesOverWhatIsNoNameOfAType(_ value: String) throws {
        let reading = try readPayload("{\"Born@odata.type\":\(value),\"Born\":1}")
        #expect(reading.lines == ["begin Customer", "  dynamic Born 1", "end"])
    }

    @Test func refusesASecondTypeOfOneProperty() {
        let text = ##"{"Born@odata.type":"#Date","Born@type":"Date","Born":"2020-01-01"}"##
        let error = #expect(throws: PayloadError.self) { try readPayload(text) }
        #expect(error?.code == .duplicateMember)
    }

    @Test func leavesTheTypesOfDeclaredPropertiesToTheModel() throws {
        let reading = try readPayload(##"{"Name@odata.type":"#String","Name":"a"}"##)
        #expect(reading.lines == ["begin Customer", "  Name 'a'", "end"])
    }

    @Test func readsAnUnknownMemberOfAnEnumerationAsNull() throws {
        let reading = try readPayload(#"{"Color":"Green"}"#)
        #expect(
            reading.lines == ["begin Customer", "  Color null", "  Color exactly Green", "end"]
        )
        #expect(
            reading.info.diagnostics == [
                PayloadDiagnostic(.unknownEnumMember, "Green", of: "Shop.Color")
            ]
        )
    }

    /// In JSON 5, 5.0 and 50e-1 are the same number.
    @Test(
        arguments: [
            ("5.0", "5"), ("-50.000", "-50"), ("0.0", "0"), ("100", "100"), ("1.0e1", "10"),
            ("1E2", "100"), ("50e-1", "5"),
        ]
    )
    func readsWholeNumbersWithAFraction(_ text: String, _ value: String) throws {
        let reading = try readPayload("{\"ID\":\"A\",\"Age\":\(text)}")
        #expect(reading.lines == ["begin Customer", "  ID 'A'", "  Age = \(value)", "end"])
    }

    @Test func skipsAnnotations() throws {
        let reading = try readPayload(
            """
            {"@Org.V1.Note":{"a":1},"ID@Org.V1.Note":[1],"ID":"A","Photo@odata.mediaEditLink":"p","Photo@odata.mediaEtag":"e",
             "Orders@odata.navigationLink":"n","Orders@odata.associationLink":"l","Rating@odata.type":"Double","Rating":1}
            """
        )
        #expect(reading.lines == ["begin Customer", "  ID 'A'", "  Rating ~ 1.0", "end"])
    }

    @Test func readsControlInformationOfMedia() throws {
        let reading = try readPayload(
            #"{"@odata.mediaReadLink":"r","@odata.mediaEditLink":"w","@odata.mediaContentType":"image/png","@odata.mediaEtag":"t","@odata.readLink":"s"}"#
        )
        #expect(
            reading.lines == [
                "begin Customer", "  @mediaReadLink r", "  @mediaEditLink w",
                "  @mediaContentType image/png",
                "  @mediaETag t", "  @readLink s", "end",
            ]
        )
    }

    @Test func readsNamesWithEscapes() throws {
        #expect(
            try readPayload(#"{"\u0049D":"A","\u0040odata.etag":"e"}"#).lines == [
                "begin Customer", "  ID 'A'", "  @etag e", "end",
            ]
        )
    }

    @Test func readsExtremeValues() throws {
        let reading = try readPayload(
            """
            {"value":[{"Age":-32768,"Rating":"-INF","Balance":"NaN"},{"Age":32767,"Rating":"NaN","Balance":-0},
             {"Rating":-0,"Balance":1e2},{"Rating":5e-324,"Balance":1234567890123456789012345678901234.5}]}
            """
        )
        #expect(
            reading.lines.map { $0.drop { $0 == " " } } == [
                "begin Customer", "Age = -32768", "Rating ~ -inf", "Balance '4'", "end",
                "begin Customer", "Age = 32767", "Rating 'NaN'", "Balance '1'",
                "Balance exactly -0", "end",
                "begin Customer", "Rating ~ -0.0", "Rating exactly -0", "Balance '2500031'",
                "Balance exactly 1e2", "end",
                "begin Customer", "Rating ~ 5e-324",
                "Balance '25003412345678901234567890123456789012345'", "end",
            ]
        )
    }

    @Test func givesStringsAsTheyAre() throws {
        let reading = try readPayload(#"{"Name":"a\u0000e\u0301\uD83D\uDE00\/\\\"\b\f\r\t"}"#)
        #expect(reading.lines[1] == "  Name 'a\0e\u{301}😀/\\\"\u{8}\u{c}\r\t'")
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1_000])
    func readsTheSameInPieces(_ size: Int) throws {
        let payload = PayloadSamples.rich
        #expect(try readPayload(payload, pieces: size).lines == readPayload(payload).lines)
    }

    @Test func readsEntitiesLargerThanTheWindow() throws {
        let text = String(repeating: "0123456789abcdef", count: 40_000)
        let payload = #"{"value":[{"ID":"a"},{"ID":"b","Name":"\#(text)"},{"ID":"c"}]}"#
        for pieces in [16_384, 300_000, Int.max] {
            let lines = try readPayload(payload, pieces: pieces).lines
            #expect(lines.count == 10)
            #expect(lines[5].utf8.count == text.utf8.count + 9)
        }
    }

    @Test func readsManyEntities() throws {
        let items = (0..<20_000).map {
            #"{"ID":"\#($0)","Name":"Name of \#($0)","Age":\#($0 % 30_000)}"#
        }
        let payload = Array("{\"value\":[\(items.joined(separator: ",\n"))]}".utf8)
        let plans = ModelPlans(ShopModel.v4)
        let plan = try #require(plans.plan(set: "Customers"))
        var sink = CountingSink()
        var reader = PayloadReader(model: ShopModel.v4, plan: plan, plans: plans)
        let info = try reader.read(payload.span, into: &sink)
        #expect(info.entityCount == 20_000)
        #expect(sink.entities == 20_000)
        #expect(sink.values == 60_000)
    }
}

/// Payloads that several tests use.
enum PayloadSamples {
    static let rich = """
        {"@odata.context":"http://host/$metadata#Customers","value":[
        {"@odata.type":"#Shop.VIP","@odata.id":"Customers('ä')","ID":"ä","Name":"x\\\\\\"\\u00e4","Age":12,"Balance":12.345,
         "Rating":1.5e-7,"Active":false,"Key":"01234567-89ab-cdef-0123-456789abcdef","Color":"Red","Home":{"City":null,"Zip":-1},
         "Tags":["\\uD83D\\uDE00",true,null,-1.5e+3],"Discount":0.25,"Orders":[{"ID":1,"Total":3,"Items":[{"ID":1},{"@id":"Items(2)"}]}],
         "Orders@odata.nextLink":"o","LastOrder@odata.bind":"Orders(1)","Free":{"a":[{}]}} ,
        {"ID":"b"}],"@odata.nextLink":"n","@odata.count":3}
        """
}
