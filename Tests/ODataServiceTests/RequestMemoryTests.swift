import ODataHTTP
import ODataModel
import ODataSQLite
import Testing

@testable import ODataService

/// Requests that are repeated to a service which has been started again on its file.
@Suite struct RequestMemoryTests {
    private static let document = Array(
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Doc"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Docs" EntityType="S.Doc"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )

    private func started(_ file: TemporaryFile) throws -> (TableEntityStore, StandaloneHandler) {
        let store = try TableEntityStore(
            path: file.path,
            document: Self.document,
            model: CSDLDocument(reading: Self.document).model
        )
        var options = StandaloneOptions()
        options.isRepeatable = true
        return (store, StandaloneHandler(store: store, options: options))
    }

    private func create(
        _ handler: StandaloneHandler,
        _ id: String = "r-1",
        title: String = "t"
    ) async -> HTTPResponse {
        await handler.respond(
            to: HTTPRequest(
                method: "POST",
                url: "/Docs",
                headers: [
                    "Host": "service.test", "Content-Type": "application/json",
                    "Repeatability-Request-ID": id,
                    "Repeatability-First-Sent": "Wed, 01 May 2024 08:00:00 GMT",
                ],
                body: Array(#"{"Title":"\#(title)"}"#.utf8)
            )
        )
    }

    private func count(_ handler: StandaloneHandler) async -> String {
        await handler.respond(
            to: HTTPRequest(method: "GET", url: "/Docs/$count", headers: ["Host": "service.test"])
        ).text
    }

    @Test func areAnsweredAsTheFirstTime() async throws {
        let file = TemporaryFile()
        let first = await create(try started(file).1)
        #expect(first.status == 201)
        let (_, handler) = try started(file)
        let second = await create(handler)
        #expect(second.status == 201)
        #expect(second.headers["Location"] == first.headers["Location"])
        #expect(second.body == first.body)
        #expect(await count(handler) == "1")
        #expect(await create(handler, "r-2").headers["Location"] != first.headers["Location"])
    }

    @Test func areRefusedWhereTheServiceEndedBeforeItsAnswer() async throws {
        let file = TemporaryFile()
        let (store, first) = try started(file)
        _ = await create(first)
        let memory = try #require(store.requestMemory)
        try await memory.queue.run { try $0.run("UPDATE \"$repeated\" SET \"answer\" = NULL") }
        let (_, handler) = try started(file)
        let second = await create(handler)
        #expect(second.status == 412)
        #expect(second.headers["Repeatability-Result"] == "rejected")
        #expect(second.text.contains("is not known: the service ended meanwhile"))
        #expect(await count(handler) == "1")
    }

    @Test func areRefusedUnderTheIdOfAnother() async throws {
        let file = TemporaryFile()
        _ = await create(try started(file).1)
        let (_, handler) = try started(file)
        #expect(await create(handler, title: "other").status == 412)
        #expect(await create(handler).status == 201)
        #expect(await count(handler) == "1")
    }

    @Test func areForgottenWithTheDataOfAServiceWithoutFile() throws {
        let store = try TableEntityStore(
            document: Self.document,
            model: CSDLDocument(reading: Self.document).model
        )
        #expect(store.requestMemory == nil)
    }
}
