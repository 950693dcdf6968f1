import ODataHTTP
import OfflineOData
import OfflineResources
import Testing

/// Reads of the one entity that another is related to, which need not be there.
@Suite struct RelatedEntityTests {
    private static let parent = LiteralService.json(
        """
        {"@odata.context":"http://service.localhost/odata/$metadata#Items/$entity","ID":7,"Name":"p"}
        """
    )

    /// The service answers 204 where no entity is related (OData 4.01 Part 1 § 11.2.6).
    @Test func takesNoneForAnAnswer() async throws {
        let bench = try await PolicyBench { request in
            switch request.url {
            case "/odata/Items(1)": LiteralService.item(1, name: "a")
            default: HTTPResponse(status: 204)
            }
        }
        let url = "Items(1)/Parent"
        let answer = try await bench.engine.read(url)
        #expect(answer.origin.place == .service)
        #expect(answer.entities == [])
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.read(url).entities == [])
        #expect(try await bench.engine.read("Items(2)/Parent").entities == nil)
    }

    @Test func forgetsTheOneThatWasThereBefore() async throws {
        let bench = try await PolicyBench { request in
            switch request.url {
            case "/odata/Items(1)": LiteralService.item(1, name: "a")
            default: Self.parent
            }
        }
        let url = "Items(1)/Parent"
        #expect(try await bench.engine.read(url).ids == [7])
        bench.service.set { _ in HTTPResponse(status: 204) }
        #expect(try await bench.engine.read(url).entities == [])
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.read(url).entities == [])
    }
}

/// Reads that ask the service only where there is no copy: of what another entity leads to, and of an entity with others.
@Suite struct CacheMissTests {
    @Test(arguments: ["Items(1)/Parent", "Items(1)?$expand=Parent"])
    func askOnce(_ url: String) async throws {
        let bench = try await PolicyBench { request in
            guard request.url.hasSuffix("Items(1)") else {
                return LiteralService.json(
                    """
                    {"@odata.context":"http://service.localhost/odata/$metadata#Items/$entity","ID":7,"Name":"p",
                    "Parent":{"ID":8,"Name":"q"}}
                    """
                )
            }
            return LiteralService.item(1, name: "a")
        }
        let policy = ResourcePolicy(fetchPolicy: .fromServiceOnCacheMiss)
        #expect(try await bench.engine.read(url, policy: policy).origin.place == .service)
        let asked = bench.service.asked
        let again = try await bench.engine.read(url, policy: policy)
        #expect(again.origin.place == .store)
        #expect(again.ids == [7])
        #expect(bench.service.asked == asked)
    }
}

/// Reads of what is inside of entities that the store does not have yet.
@Suite struct ContainedReadTests {
    private static let root = "http://service.localhost/odata/$metadata#"

    @Test(arguments: [
        ("Items(1)/Parts", ["GET Items(1)"]),
        ("Items(1)/Parts(2)/Parts", ["GET Items(1)", "GET Items(1)/Parts(2)"]),
    ])
    func fetchesTheOwnersFirst(_ url: String, _ owners: [String]) async throws {
        let bench = try await PolicyBench { request in
            let path = String(request.url.dropFirst("/odata/".count))
            guard !path.hasSuffix("Parts") else {
                return LiteralService.json(
                    "{\"@odata.context\":\"\(Self.root)\(path)\",\"value\":[{\"No\":3}]}"
                )
            }
            guard path.contains("Parts") else { return LiteralService.item(1, name: "a") }
            return LiteralService.json(
                "{\"@odata.context\":\"\(Self.root)Items(1)/Parts/$entity\",\"No\":2}"
            )
        }
        let answer = try await bench.engine.read(url)
        #expect(answer.origin.place == .service)
        #expect(answer.entities?.map { $0["No"]?.integerValue } == [3])
        #expect(bench.service.asked == owners + ["GET " + url])
        bench.network.set(isReachable: false)
        #expect(try await bench.engine.read(url).entities?.count == 1)
    }
}

/// Reads of several sets at once and of functions, which are never kept.
@Suite struct UnkeptReadTests {
    @Test(arguments: ["$all", "$crossjoin(Items,Cards)"])
    func asksTheService(_ url: String) async throws {
        let bench = try await PolicyBench { _ in LiteralService.json(#"{"value":[]}"#) }
        let request = HTTPRequest(method: "GET", url: url)
        let online = await bench.engine.respond(to: request)
        #expect(online.answer.origin.place == .service)
        #expect(bench.service.asked == ["GET " + url])
        bench.network.set(isReachable: false)
        #expect(await bench.engine.respond(to: request).response.status == 404)
    }
}
