import ODataText
import ODataHTTP
import Testing

@testable import ODataAnswers

@Suite struct JoinTests {
    @Test func combinesEntitiesOfSets() async throws {
        let service = try await SampleService.make()
        let response = await service.get(
            "$crossjoin(Customers,WorkOrders)?$filter=Customers/ID%20eq%20WorkOrders/CustomerID"
                + "&$orderby=WorkOrders/ID%20desc&$expand=WorkOrders($select=Title)&$count=true"
        )
        #expect(
            response.text
                == #"{"@odata.context":"http://service.test/$metadata#Collection(Edm.ComplexType)","@odata.count":2,"value":["#
                + ##"{"Customers@odata.navigationLink":"Customers('C1')","WorkOrders":{"@odata.type":"##
                + ##""#FieldService.EmergencyWorkOrder","@odata.etag":"W/\"9\"","ID":2,"Title":"Fire"}},"##
                + #"{"Customers@odata.navigationLink":"Customers('C1')","WorkOrders":{"@odata.etag":"W/\"8\"","ID":1,"Title":"Lamp"}}]}"#
        )
    }

    @Test func bringsEachCombinationOnceOverPages() async throws {
        let service = try await SampleService.make()
        var url = "$crossjoin(Customers,Parts)?$expand=Customers($select=ID),Parts($select=Number)"
        var pages: [String] = []
        for _ in 0..<12 {
            let response = await service.get(url, ["Prefer": "odata.maxpagesize=1"])
            let tree = try #require(JSONTree(response.body))
            pages.append(
                String(decoding: tree.text(try #require(tree.member("value"))), as: UTF8.self)
            )
            guard let next = tree.string("@odata.nextLink") else { break }
            url = TestService.relative(next)
        }
        #expect(pages.count == 4)
        #expect(Set(pages).count == 4)
    }

    @Test(arguments: [
        "$crossjoin(Customers,Nowhere)", "$crossjoin(Customers,Customers)",
        "$crossjoin(Customers)/x",
        "$crossjoin(Customers,Parts)?$filter=ID%20eq%201",
        "$crossjoin(Customers,Parts)?$expand=Tasks",
        "$all/FieldService.Nothing", "$all/x/y", "$all?$filter=ID%20eq%201",
    ])
    func refusesCrossJoinsAndAllsThatItCannotAnswer(url: String) async throws {
        let status = await (try SampleService.make()).get(url).status
        #expect([400, 404, 501].contains(status), "\(status)")
    }

    @Test func answersEntitiesOfAllSets() async throws {
        let service = try await SampleService.make()
        let all = await service.get("$all?$count=true")
        let tree = try #require(JSONTree(all.body))
        let items = try #require(tree.member("value"))
        guard case .array(let list) = items.value else { throw ServiceError(500, "no array") }
        // One technician, two customers, two parts, three work orders, two tasks, one depot.
        #expect(list.count == 11)
        #expect(
            tree.member("@odata.count").map { String(decoding: tree.text($0), as: UTF8.self) }
                == "11"
        )
        #expect(all.text.contains(##""@odata.id":"http://service.test/Parts('P1')""##))
        let root = #""@odata.context":"http://service.test/$metadata#"#
        #expect(all.text.contains(root + ##"Parts/$entity","@odata.type":"#FieldService.Part""##))
        #expect(all.text.contains(root + ##"Depot","@odata.type":"#FieldService.Depot""##))
        let plain = await service.get("$all?$format=application/json;odata.metadata=none")
        #expect(!plain.text.contains("@odata.context"))
    }

    @Test func followsPagesThroughAllSets() async throws {
        let service = try await SampleService.make()
        var url = "$all"
        var ids: [String] = []
        for _ in 0..<12 {
            let response = await service.get(url, ["Prefer": "odata.maxpagesize=2"])
            let parts = response.text.components(separatedBy: "\"@odata.id\":\"").dropFirst()
            ids += parts.map { String($0.prefix { $0 != "\"" }) }
            guard let next = try #require(JSONTree(response.body)).string("@odata.nextLink") else {
                break
            }
            url = TestService.relative(next)
        }
        #expect(ids.count == 11)
        #expect(Set(ids).count == 11)
    }

    @Test func answersEntitiesOfATypeEverywhere() async throws {
        let service = try await SampleService.make()
        let text = await service.get("$all/FieldService.EmergencyWorkOrder?$select=Title").text
        #expect(text.contains("Fire") && !text.contains("Lamp"))
    }

    @Test func readsPropertiesFromTheRoot() async throws {
        let service = try await SampleService.make()
        let url = "Parts?$filter=UnitPrice%20lt%20$root/Parts('P1')/UnitPrice&$select=Number"
        #expect(await service.get(url).text.contains(#""Number":"P2"}]}"#))
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
