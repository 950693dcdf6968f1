import ODataPayload
import TestSupport
import Testing

/// Changes (OData JSON 4.01 § 15, JSON 4.0 § 14).
@Suite struct DeltaPayloadTests {
    @Test func readsTheFormOfVersion40() throws {
        let reading = try readPayload(
            """
            {"@odata.context":"http://host/service/$metadata#Customers/$delta","@odata.count":5,"value":[
             {"@odata.id":"Customers('BOTTM')","Name":"Susan"},
             {"@odata.context":"#Customers/$deletedLink","source":"Customers('ALFKI')","relationship":"Orders","target":"Orders(10643)"},
             {"@odata.context":"#Customers/$link","source":"Customers('BOTTM')","relationship":"Orders","target":"Orders(10645)"},
             {"@odata.context":"#Orders/$entity","@odata.id":"Orders(10643)","ID":10643},
             {"@odata.context":"#Customers/$deletedEntity","id":"Customers('ANTON')","reason":"deleted"},
             {"@odata.context":"#Customers/$deletedEntity","@odata.id":"Customers('B')","reason":"changed"}],
             "@odata.deltaLink":"http://host/service/Customers?$deltatoken=8015"}
            """
        )
        #expect(
            reading.lines == [
                "begin Customer", "  @id Customers('BOTTM')", "  Name 'Susan'", "end",
                "link - Customers('ALFKI') Orders Orders(10643)",
                "link + Customers('BOTTM') Orders Orders(10645)",
                "begin Order", "  @id Orders(10643)", "  ID = 10643", "end",
                "removed Customers('ANTON') deleted",
                "removed Customers('B') changed",
            ]
        )
        #expect(reading.info.deltaLink == "http://host/service/Customers?$deltatoken=8015")
        #expect(reading.info.entityCount == 6)
    }

    @Test func readsTheFormOfVersion401() throws {
        let reading = try readPayload(
            """
            {"@context":"http://host/service/$metadata#Customers/$delta","value":[
             {"@removed":{"reason":"deleted"},"@id":"Customers('ANTON')"},
             {"@id":"Customers('B')","@removed":{"reason":"changed"}},
             {"ID":"C","@removed":{},"@id":"Customers('C')"},
             {"@id":"Customers('D')","Orders@delta":[{"@id":"Orders(1)"},{"@removed":{"reason":"changed"},"@id":"Orders(2)"},
               {"@id":"Orders(3)","ID":3}],"LastOrder":{"@id":"Orders(3)"}}]}
            """
        )
        #expect(
            reading.lines == [
                "removed Customers('ANTON') deleted", "removed Customers('B') changed",
                "removed Customers('C') changed",
                "begin Customer", "  @id Customers('D')", "  Orders changes [",
                "    bind Orders -> Orders(1)",
                "    removed Orders(2) changed", "    begin Order", "      @id Orders(3)",
                "      ID = 3", "    end", "  ]",
                "  LastOrder [", "    bind LastOrder -> Orders(3)", "  ]", "end",
            ]
        )
    }

    @Test(arguments: [
        (
            #"{"@removed":{"reason":"deleted"},"ID":"O'Neil/ä"}"#,
            "removed Customers('O''Neil%2F%C3%A4') deleted"
        ),
        (#"{"ID":"A","@removed":{}}"#, "removed Customers('A') changed"),
    ])
    func namesTombstonesByTheirKey(_ item: String, _ line: String) throws {
        let payload = ##"{"@context":"http://h/$metadata#Customers/$delta","value":[\##(item)]}"##
        #expect(try readPayload(payload).lines == [line])
    }

    /// Below an entity the set at the beginning of the context is not that of the items.
    @Test(arguments: [
        ("Customers/$delta", "Customers('A')"), ("Customers(ID,Name)/$delta", "Customers('A')"),
        ("Customers('X')/Friends/$delta", "('A')"), ("Customers('X')/Friends", "('A')"),
    ])
    func namesKeysRelativeToTheCollection(_ context: String, _ id: String) throws {
        let payload =
            ##"{"@context":"http://h/$metadata#\##(context)","value":[{"@removed":{"reason":"deleted"},"ID":"A"}]}"##
        #expect(try readPayload(payload).lines == ["removed \(id) deleted"])
    }

    @Test func skipsEntitiesOfUnknownSets() throws {
        let reading = try readPayload(
            ##"{"@context":"$metadata#Customers/$delta","value":[{"@context":"#Others/$entity","@id":"Others(1)","X":1}]}"##
        )
        #expect(reading.lines.isEmpty)
        #expect(reading.info.diagnostics == [PayloadDiagnostic(.unknownEntitySet, "Others")])
    }

    @Test(arguments: [
        #"{"@removed":{"reason":"deleted"}}"#,
        ##"{"@context":"#Customers/$deletedEntity","reason":"deleted"}"##,
        ##"{"@context":"#Customers/$link","source":"a","relationship":"b"}"##,
        ##"{"@context":"#Customers/$link","source":"a","target":"b"}"##,
    ])
    func refusesChangesOfNothing(_ item: String) throws {
        let payload = #"{"@context":"$metadata#Customers/$delta","value":[\#(item)]}"#
        #expect(try failure(payload)?.code == .unexpectedContent)
    }
}
