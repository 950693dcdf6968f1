import StoreRecords
import StoreDownload
import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where answers come from, and what is kept of what the service answers to a single read.
@Suite struct ReadRouterTests {
    /// A rule that fetches every read of a URL as a stored collection, as long as it is online.
    final class FetchingRule: ReadRule {
        private let isOnline = Mutex(true)
        func setOnline(_ value: Bool) { isOnline.guarded { $0 = value } }

        func source(of read: ReadRequest, _ router: ReadRouter) async throws -> ReadSource {
            guard let url = read.url else { return .store }
            if isOnline.guarded({ $0 }) {
                let fetched = try await router.fetch(.init(url))
                return .collection(fetched.collection, .init(place: .service, date: Date()))
            }
            guard let stored = try await router.collection(named: url) else { return .nothing }
            return .collection(stored, .init(place: .store))
        }
    }

    /// A store that is open and holds nothing, over a service of literal answers.
    private func store(
        _ answers: @escaping @Sendable (HTTPRequest) -> HTTPResponse?
    ) async throws -> (OfflineODataProvider, TemporaryDirectory, Counter) {
        let directory = try TemporaryDirectory()
        let asked = Counter()
        let service = ScriptedAnswers { request in
            if request.url.contains("$metadata") {
                return HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "application/xml"],
                    body: Array(Self.metadata.utf8)
                )
            }
            _ = asked.next()
            return answers(request) ?? HTTPResponse(status: 404)
        }
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = HandlerTransport(service)
        parameters.retryPolicy = .never
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.test/odata/",
            parameters: parameters
        )
        try await provider.open()
        return (provider, directory, asked)
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Parent" Type="Shop.Item"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="Shop.Item">
        <NavigationPropertyBinding Path="Parent" Target="Items"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func items(_ ids: [Int], headers: HTTPHeaders = [:]) -> HTTPResponse {
        let items = ids.map { "{\"ID\":\($0),\"Name\":\"Item \($0)\"}" }.joined(separator: ",")
        var all: HTTPHeaders = ["Content-Type": "application/json", "OData-Version": "4.0"]
        for field in headers.fields { all[field.name] = field.value }
        return HTTPResponse(
            status: 200,
            headers: all,
            body: Array(
                "{\"@odata.context\":\"http://service.test/odata/$metadata#Items\",\"value\":[\(items)]}"
                    .utf8
            )
        )
    }

    private func ids(_ entities: [EntityValue]?) -> [Int64]? {
        entities?.compactMap { $0["ID"]?.integerValue }
    }

    @Test func answersFromTheStoreWithoutARule() async throws {
        let (provider, directory, asked) = try await store { _ in nil }
        defer { withExtendedLifetime(directory) {} }
        let answer = try await provider.read("Items")
        #expect(answer.entities?.count == 0)
        #expect(answer.origin.place == .store)
        #expect(asked.count == 0)
    }

    @Test func keepsTheMembersOfAFetchedQueryInTheirOrder() async throws {
        let (provider, directory, asked) = try await store { request in
            request.url.contains("filter") ? Self.items([7, 2, 5]) : Self.items([2, 9])
        }
        defer { withExtendedLifetime(directory) {} }
        let rule = FetchingRule()
        provider.router.use(rule)
        let query = "Items?$filter=ID gt 1&$orderby=Name desc&$top=3"
        let fresh = try await provider.read(query)
        #expect(ids(fresh.entities) == [7, 2, 5])
        #expect(fresh.origin.place == .service)
        #expect(ids(try await provider.read("Items?$skip=1").entities) == [2, 9])
        rule.setOnline(false)
        let kept = try await provider.read(query)
        #expect(ids(kept.entities) == [7, 2, 5])
        #expect(kept.origin.place == .store)
        #expect(asked.count == 2)
        #expect(try await provider.read("Items?$top=1").entities == nil)
        // The same by the request in OData form, and by the live query.
        let response = await provider.respond(to: HTTPRequest(method: "GET", url: query))
        let text = String(decoding: response.body, as: UTF8.self)
        let value = try #require(ODataValue(json: text)?["value"]?.items)
        #expect(value.compactMap { $0["ID"]?.integerValue } == [7, 2, 5])
        var live = provider.liveQuery(query).makeAsyncIterator()
        #expect(ids(try await live.next()) == [7, 2, 5])
    }

    @Test func sharesEntitiesAndKeepsThoseThatAnotherCollectionHolds() async throws {
        let (provider, directory, _) = try await store { request in
            request.url.contains("filter") ? Self.items([1, 2]) : Self.items([2, 3])
        }
        defer { withExtendedLifetime(directory) {} }
        let router = provider.router
        _ = try await router.fetch(.init("Items"))
        _ = try await router.fetch(.init("Items?$filter=ID lt 3"))
        #expect(ids(try await provider.executeQuery("Items")) == [1, 2, 3])
        #expect(try await router.remove(collection: "Items") == 1)
        #expect(ids(try await provider.executeQuery("Items")) == [1, 2])
        #expect(try await router.remove(collection: "Items?$filter=ID lt 3") == 2)
        #expect(try await provider.executeQuery("Items").isEmpty)
    }

    @Test func keepsTheCopyWhereNothingHasChanged() async throws {
        let (provider, directory, _) = try await store { request in
            if request.headers["If-None-Match"] == "v1" { return HTTPResponse(status: 304) }
            return Self.items([4], headers: ["If-None-Match": "v1"])
        }
        defer { withExtendedLifetime(directory) {} }
        let first = try await provider.router.fetch(
            .init("Items"),
            now: Date(timeIntervalSince1970: 1)
        )
        #expect(first.collection.validator == "v1")
        let second = try await provider.router.fetch(
            .init("Items"),
            now: Date(timeIntervalSince1970: 2)
        ) { collection, _ in collection.expires = 5 }
        #expect(second.isUnchanged)
        #expect(second.collection.fetched == 2_000)
        #expect(second.collection.expires == 5)
        #expect(second.collection.validator == "v1")
        #expect(ids(try await provider.executeQuery("Items")) == [4])
    }

    @Test func takesAwayWhatDoesNotComeAgainButNoChange() async throws {
        let few = Mutex(false)
        let (provider, directory, _) = try await store { _ in
            Self.items(few.guarded { $0 } ? [1] : [1, 2, 3])
        }
        defer { withExtendedLifetime(directory) {} }
        _ = try await provider.router.fetch(.init("Items"))
        var changed = try #require(try await provider.executeQuery("Items(2)").first)
        changed["Name"] = .string("mine")
        try await provider.updateEntity(changed)
        few.guarded { $0 = true }
        let fetched = try await provider.router.fetch(.init("Items"))
        #expect(fetched.changes.removed == 1)
        #expect(ids(try await provider.executeQuery("Items")) == [1, 2])
        let queue = try await provider.requestQueue()
        #expect(queue.count == 1)
    }

    @Test func fetchesOneEntityByItsKey() async throws {
        let (provider, directory, _) = try await store { _ in
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/json", "ETag": "W/\"1\""],
                body: Array(
                    """
                    {"@odata.context":"http://service.test/odata/$metadata#Items/$entity","ID":6,"Name":"Six"}
                    """.utf8
                )
            )
        }
        defer { withExtendedLifetime(directory) {} }
        let fetched = try await provider.router.fetch(.init("Items(6)"))
        #expect(fetched.collection.validator == "W/\"1\"")
        #expect(ids(try await provider.executeQuery("Items")) == [6])
    }

    @Test func holdsMoreCollectionsThanARowHasBits() async throws {
        let (provider, directory, _) = try await store { request in
            let number = request.url.split(separator: "=").last.flatMap { Int($0) } ?? 0
            return Self.items([number, number + 1])
        }
        defer { withExtendedLifetime(directory) {} }
        for number in 1...150 {
            _ = try await provider.router.fetch(.init("Items?$skip=\(number)"))
        }
        #expect(try await provider.executeQuery("Items").count == 151)
        for number in 1...150 {
            try await provider.router.remove(collection: "Items?$skip=\(number)")
            #expect(
                try await provider.executeQuery("Items").count == (number == 150 ? 0 : 151 - number)
            )
        }
    }

    @Test func tellsObserversOfChangesAndRefusesThem() async throws {
        final class Observer: StoreObserver {
            let seen = Mutex<[String]>([])
            func willMake(_ change: LocalChange) throws {
                if case .delete = change { throw OfflineODataError(.preconditionFailed, "no") }
            }
            func didMake(_ change: LocalChange) {
                if case .create(let url) = change { seen.guarded { $0.append(url) } }
            }
        }
        let (provider, directory, _) = try await store { _ in nil }
        defer { withExtendedLifetime(directory) {} }
        let observer = Observer()
        provider.router.observe(observer)
        let created = try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 1])
        )
        #expect(observer.seen.guarded { $0 } == ["Items"])
        await #expect(throws: OfflineODataError.self) { try await provider.deleteEntity(created) }
        #expect(try await provider.executeQuery("Items").count == 1)
    }
}

/// A service of answers made by a function.
private struct ScriptedAnswers: HTTPHandler {
    let answer: @Sendable (HTTPRequest) -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) { self.answer = answer }

    func respond(to request: HTTPRequest) async -> HTTPResponse { answer(request) }
}
