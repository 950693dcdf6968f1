import OfflineOData
import TestSupport
import Testing

/// An entity that gets the key of a deleted one back when a request is taken back.
@Suite struct LostPrincipalTests {
    /// People 20, made with People(3) as its boss; the boss is deleted after the relation was ended.
    private func shop() async throws -> Workshop {
        let shop = try await Workshop()
        for (method, url, body) in [
            ("POST", "People", #"{"ID":20,"Name":"a","Boss@odata.bind":"People(3)"}"#),
            ("DELETE", "People(20)/Boss/$ref", nil), ("DELETE", "People(3)", nil),
        ] {
            let answer = await shop.send(method, url, body)
            try #require(answer.isSuccess, "\(answer.text)")
        }
        return shop
    }

    private func boss(_ shop: Workshop) async throws -> Int64? {
        try await shop.provider.executeQuery("People?$filter=ID eq 20").first?["BossID"]?
            .integerValue
    }

    @Test func losesItAsTheDeletionSays() async throws {
        let shop = try await shop()
        let second = try await shop.provider.requestQueue()[1]
        try await shop.provider.dropRequest(second.id)
        #expect(try await boss(shop) == nil)
        #expect(try await shop.queue() == ["POST People", "DELETE People(3)"])
    }

    @Test func getsItBackWithTheDeletion() async throws {
        let shop = try await shop()
        for place in [1, 1] {
            let request = try await shop.provider.requestQueue()[place]
            try await shop.provider.dropRequest(request.id)
        }
        #expect(try await shop.queue() == ["POST People"])
        #expect(try await boss(shop) == 3)
        try await shop.provider.undoAllPendingChanges()
        #expect(try shop.count(of: "$effect") == 0)
    }

    @Test func isInErrorWithADeletionThatWasRefused() async throws {
        let shop = try await Workshop()
        await shop.send("POST", "People", #"{"ID":20,"Name":"a","Boss@odata.bind":"People(3)"}"#)
        try await shop.provider.upload()
        await shop.send("DELETE", "People(20)/Boss/$ref")
        let change = try #require(try await shop.provider.requestQueue().first)
        await shop.send("DELETE", "People(3)")
        shop.rules.refuse { $0.method == "DELETE" || $0.method == "UNLINK" }
        try await shop.provider.upload()
        // The deletion went behind the change, and waits for the decision about it.
        #expect(try await shop.provider.requestQueue().map(\.status) == [.parked])
        try await shop.provider.dropRequest(change.id)
        try await shop.provider.upload()
        #expect(try await boss(shop) == nil)
        let person = try await shop.provider.executeQuery("People?$filter=ID eq 20").first
        #expect(person?.inErrorState == true)
    }

    /// The owner of a new tool is People(1) by default, which `SetDefault` leaves as it is.
    @Test func isNotChangedByADefaultThatItHas() async throws {
        let shop = try await Workshop()
        await shop.send("POST", "Tools", #"{"Serial":"t"}"#)
        try await shop.provider.upload()
        try await shop.provider.download()
        await shop.send("DELETE", "People(1)")
        let tool = try await shop.provider.executeQuery("Tools?$filter=Serial eq 't'").first
        #expect(tool?["OwnerID"]?.integerValue == 1)
        #expect(tool?.hasPendingChanges == false)
    }
}
