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

/// Changes that an application makes while the first opening still loads: nothing of them is lost, and the opening goes on.
@Suite struct ChangesWhileOpeningTests {
    /// Items in two pages; between them the application works.
    private final class Pages: HTTPHandler {
        let between = Mutex<(@Sendable () async throws -> Void)?>(nil)

        private static let metadata = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            if request.url.contains("$metadata") { return Self.answer(Self.metadata, "xml") }
            if request.url.contains("deltatoken") {
                return Self.answer(#"{"value":[],"@odata.deltaLink":"Items?$deltatoken=1"}"#)
            }
            guard request.url.contains("skiptoken") else {
                return Self.answer(
                    #"{"value":[{"ID":1,"Name":"one"},{"ID":2,"Name":"two"}],"@odata.nextLink":"Items?$skiptoken=2"}"#
                )
            }
            let work = between.guarded { work in
                defer { work = nil }
                return work
            }
            do {
                try await work?()
            } catch {
                return HTTPResponse(status: 500, body: Array("\(error)".utf8))
            }
            return Self.answer(
                #"{"value":[{"ID":3,"Name":"three"},{"ID":4,"Name":"four"},{"ID":4,"Name":"four"}],"@odata.deltaLink":"Items?$deltatoken=1"}"#
            )
        }

        private static func answer(_ text: String, _ type: String = "json") -> HTTPResponse {
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/\(type)", "OData-Version": "4.0"],
                body: Array(text.utf8)
            )
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var work: @Sendable (OfflineODataProvider) async throws -> Void
        var names: [String]
        var requestCount = 1
        /// What the service has under the key of the entity that was created here.
        var theirs: String?
    }

    private static func create(_ id: Int64) -> @Sendable (OfflineODataProvider) async throws -> Void
    {
        { provider in
            let entity = EntityValue(entitySet: "Items", ["ID": .integer(id), "Name": "mine"])
            try await provider.createEntity(entity)
        }
    }

    static let cases = [
        Case(
            testDescription: "a creation",
            work: create(9),
            names: ["one", "two", "three", "four", "mine"]
        ),
        Case(
            testDescription: "a creation with the key of a page that is to come",
            work: create(3),
            names: ["one", "two", "mine", "four"],
            theirs: "three"
        ),
        Case(
            testDescription: "a creation without a key",
            work: { try await $0.createEntity(EntityValue(entitySet: "Items", ["Name": "mine"])) },
            names: ["one", "two", "three", "four", "mine"]
        ),
        Case(
            testDescription: "an index",
            work: { try await $0.createIndex(on: "Items", properties: ["Name"]) },
            names: ["one", "two", "three", "four"],
            requestCount: 0
        ),
    ]

    @Test(arguments: cases)
    func areKeptWhileTheOpeningGoesOn(_ test: Case) async throws {
        let directory = try TemporaryDirectory()
        let pages = Pages()
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = HandlerTransport(pages)
        parameters.retryPolicy = .never
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.test/odata",
            parameters: parameters
        )
        try await provider.addDefiningQuery(OfflineODataDefiningQuery(name: "I", query: "Items"))
        pages.between.guarded { $0 = { try await test.work(provider) } }

        try await provider.open()
        try await provider.open()
        try await provider.download()

        let found = try await provider.executeQuery("Items").compactMap { $0["Name"]?.stringValue }
        #expect(found.sorted() == test.names.sorted())
        #expect(try await provider.requestQueue().count == test.requestCount)
        #expect(try await provider.checkIntegrity().isEmpty)
        guard let theirs = test.theirs else { return }
        let conflict = try await provider.conflict(for: "Items(3)")
        #expect(conflict.server?["Name"] == .string(theirs))
        #expect(conflict.local?["Name"] == "mine")
    }
}
