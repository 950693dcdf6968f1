import ODataHTTP
import Testing

import ODataAnswers
@testable import ODataService

/// Clauses of the conformance levels that no suite of their own proves (OData 4.01 Part 1 § 12); the article Conformance names all.
@Suite struct ServiceConformanceTests {
    // MARK: Minimal

    @Test func publishesAServiceDocument() async throws {
        let response = await (try SampleService.make()).get("")
        #expect(response.headers["Content-Type"]?.hasPrefix("application/json") == true)
        #expect(response.text.contains(#"{"name":"Parts","kind":"EntitySet","url":"Parts"}"#))
        #expect(response.text.contains(#"{"name":"Depot","kind":"Singleton","url":"Depot"}"#))
    }

    @Test(arguments: ["Parts", "Parts('P9')", "Nope", "Parts?$filter=", "$metadata", ""])
    func statesTheVersionInEveryAnswer(url: String) async throws {
        #expect(await (try SampleService.make()).get(url).headers["OData-Version"] == "4.0")
    }

    @Test(arguments: [
        "$nope=1", "$top=x", "$skip=-1", "$count=maybe", "$filter=Name", "$filter=(Name%20eq%20'a'",
        "$filter=Nope%20eq%201", "$orderby=Nope", "$orderby=Name%20sideways", "$select=Nope",
        "$expand=Nope", "$expand=WorkOrders($nope=1)", "$search=", "$compute=UnitPrice",
        "$top=1&$top=2", "$filter=Name%20eq%20'a", "$filter=Name%20eq%201", "$levels=2",
    ])
    func refusesQueriesThatBreakTheGrammarOrTheModel(query: String) async throws {
        #expect(await (try SampleService.make()).get("Parts?" + query).status == 400)
    }

    @Test(arguments: [
        "$filter=geo.length(null)%20gt%201", "$index=1",
        "$apply=join(WorkOrders%20as%20Order)",
    ])
    func namesWhatItDoesNotImplement(query: String) async throws {
        let status = await (try SampleService.make()).get("Parts?" + query).status
        #expect(status == 501)
    }

    @Test func servesClientsThatKnowNoAnnotations() async throws {
        let response = await (try SampleService.make()).get(
            "Parts?my=1&$select=Name&$format=application/json;odata.metadata=none",
            ["X-Unknown": "1", "Prefer": "unknown=1"]
        )
        #expect(
            response.text
                == #"{"value":[{"Number":"P1","Name":"Bolt"},{"Number":"P2","Name":"Nut"}]}"#
        )
    }

    @Test(arguments: [
        ("WorkOrders(1)", #"{"Title":"x"}"#), ("Depot", #"{"Name":"x"}"#),
        ("Customers('C1')/Contacts(1)", #"{"Name":"x"}"#),
        ("WorkOrders(1)/Tasks(1)", #"{"Title":"x"}"#),
    ])
    func patchesEveryUpdatableResource(url: String, body: String) async throws {
        let service = try await SampleService.make()
        let etag = try #require(await service.get(url).headers["ETag"])
        let response = await service.send("PATCH", url, ["If-Match": etag], body)
        #expect(response.status == 204, "\(response.text)")
        #expect(await service.get(url).text.contains(#""x""#))
        #expect(await service.send("PATCH", url, ["If-Match": etag], body).status == 412)
    }

    // MARK: Intermediate and advanced

    @Test(arguments: [
        ("Parts?$select=Name,UnitPrice&$top=1&$skip=1", "Nut"),
        ("Parts?$orderby=UnitPrice%20asc&$top=1", "Nut"),
        ("Parts?$search=Bolt", "Bolt"), ("Parts?$filter=Name%20eq%20@n&@n='Bolt'", "Bolt"),
        ("Parts?$filter=UnitPrice%20in%20(0.1,7)", "Bolt"),
        (
            "Parts?$compute=UnitPrice%20mul%202%20as%20Twice&$filter=Twice%20gt%200.15&$select=Name,Twice",
            "Twice"
        ),
        ("Parts(@k)?@k='P1'", "Bolt"), ("Parts/$filter(Name%20eq%20'Bolt')", "Bolt"),
        ("WorkOrders?$filter=Site%20eq%20null%20and%20Customer%20ne%20null", "Lamp"),
        ("Customers?$select=Address($select=City)", #""Address":{"City":"Bern"}"#),
        ("WorkOrders?$filter=Tasks/$count($filter=Position%20eq%202)%20eq%201", "Lamp"),
        ("WorkOrders?$filter=Tasks/$count($search=Mend)%20eq%201", "Lamp"),
        ("Parts/P1", "Bolt"), ("Parts(Number='P1')/Name/$value", "Bolt"),
        ("WorkOrders/2/Customer/Name", "Å & Co"), ("$entity?$id=Parts('P1')", "Bolt"),
        ("WorkOrders?$filter=Customer/Name%20eq%20'Å%20%26%20Co'", "Lamp"),
        ("WorkOrders?$filter=Tasks/any(t:t/Position%20eq%202)", "Lamp"),
        ("WorkOrders?$filter=Tasks/any()%20and%20Tasks/all(t:t/Position%20lt%203)", "Lamp"),
        ("WorkOrders?$filter=Tags/any(t:t%20eq%20'a')", "Door"),
        ("WorkOrders?$filter=FieldService.EmergencyWorkOrder/Hazard%20eq%20'smoke'", "Fire"),
        ("WorkOrders?$filter=Tasks/$count%20eq%202", "Lamp"),
        ("WorkOrders?$orderby=Tasks/$count%20desc&$top=1", "Lamp"),
        (
            "$crossjoin(WorkOrders,Tasks)?$filter=Tasks/WorkOrderID%20eq%20WorkOrders/ID",
            "WorkOrders@odata"
        ),
    ])
    func answersQueries(url: String, part: String) async throws {
        let response = await (try SampleService.make()).get(url, ["OData-MaxVersion": "4.01"])
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains(part))
    }

    @Test(arguments: [
        ("WorkOrders(1)?$expand=Tasks/$ref", "\"@odata.id\":\"http://service.test/Tasks(1)\""),
        ("WorkOrders(1)?$expand=Tasks/$count", "Tasks@odata.count"),
        ("WorkOrders(1)?$expand=Tasks($filter=Position%20eq%202;$select=Title)", "Mend"),
        ("WorkOrders(1)?$expand=Tasks($orderby=Position%20desc;$top=1;$skip=1)", "Look"),
        ("WorkOrders(1)?$expand=Tasks($search=Mend)", "Mend"),
        (
            "WorkOrders(1)?$expand=Tasks($compute=Position%20add%201%20as%20Next;$select=Next)",
            "\"Next\":3"
        ),
        ("WorkOrders(1)?$expand=Customer($expand=WorkOrders($select=Title))", "Fire"),
        ("WorkOrders?$expand=FieldService.EmergencyWorkOrder/AssignedTo", "Ada"),
        ("Technicians?$expand=Team($levels=2)", "\"Team\":[]"),
        ("Technicians?$expand=Team($levels=max)", "\"Team\":[]"),
        ("WorkOrders(1)?$expand=*", "\"Customer\":{"),
        // OData 4.01 ABNF, selectListProperty: what repeats itself has a sign.
        // In version 4.0 what is expanded without a list of its own is left out.
        ("Technicians?$select=ID&$expand=Team($levels=2)", "#Technicians(ID)\""),
        (
            "Technicians?$select=ID&$expand=Team($levels=max;$select=ID)",
            "#Technicians(ID,Team+(ID))\""
        ),
    ])
    func expandsWithNestedOptions(url: String, part: String) async throws {
        let response = await (try SampleService.make()).get(url)
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains(part), "\(response.text)")
    }

    @Test(arguments: [
        ("Parts/$count", "2"), ("WorkOrders(1)/Tasks/$count", "2"),
        ("WorkOrders(3)/Tags/$count", "2"),
        ("Parts/$count?$filter=Name%20eq%20'Nut'", "1"), ("Parts/$count?$search=Nut", "1"),
    ])
    func answersCountsAsPlainText(url: String, count: String) async throws {
        let response = await (try SampleService.make()).get(url)
        #expect(response.text == count)
        #expect(response.headers["Content-Type"]?.hasPrefix("text/plain") == true)
    }

    @Test func answersAsynchronousRequestsAtOnce() async throws {
        let response = await (try SampleService.make()).get("Parts", ["Prefer": "respond-async"])
        #expect(response.status == 200)
        #expect(response.headers["Preference-Applied"] == nil)
    }
}
