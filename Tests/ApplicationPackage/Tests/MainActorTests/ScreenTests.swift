import OfflineOData
import Testing

/// A screen of an application whose code belongs to the main actor by default.
@Suite struct ScreenTests {
    // Said outright: what conforms to a `Sendable` protocol is of no actor by default.
    @MainActor final class Screen: OfflineODataDelegate {
        var steps: [OfflineODataProgress.Step] = []
        var refused: [OfflineODataFailedRequest] = []

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateOpenProgress progress: OfflineODataProgress
        ) { steps.append(progress.step) }

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            requestDidFail request: OfflineODataFailedRequest
        ) { refused.append(request) }
    }

    @Test func showsAListAndAConflictAndResolvesIt() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let screen = Screen()
        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        parameters.transport = Shop()
        parameters.retryPolicy = .never
        let provider = try OfflineODataProvider(
            serviceRoot: "http://shop.test/",
            parameters: parameters,
            delegate: screen
        )
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Items", query: "Items"))
        try await provider.open()
        #expect(screen.steps.last == .finished)

        let list = OfflineODataList("Items", of: provider)
        while !list.isLoaded { await Task.yield() }
        var lamp = try #require(list.entities.first)
        lamp["Name"] = "mine"
        try await provider.updateEntity(lamp)
        while list.entities.first?["Name"] != "mine" { await Task.yield() }

        // The service refuses it, since its version is newer by now.
        try await provider.upload()
        #expect(screen.refused.map(\.httpStatus) == [412])
        let conflict = try await provider.conflict(for: lamp)
        #expect(conflict.base?["Name"] == "Lamp")
        #expect(conflict.local?["Name"] == "mine")
        #expect(conflict.server?["Name"] == "theirs")
        try await provider.resolveConflict("Items(1)", with: .server)
        while list.entities.first?["Name"] != "theirs" { await Task.yield() }
        #expect(try await provider.errorArchive().isEmpty)
    }
}

/// A service of one item, which somebody else changes before we do.
nonisolated struct Shop: HTTPTransport {
    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let (status, type, body) = answer(request)
        return HTTPStreamingResponse(
            status: status,
            headers: ["Content-Type": type, "OData-Version": "4.0"],
            body: HTTPBody(Array(body.utf8))
        )
    }

    private func answer(_ request: HTTPRequest) -> (Int, String, String) {
        let json = "application/json"
        if request.url.hasSuffix("$metadata") { return (200, "application/xml", Self.metadata) }
        if request.method == "PATCH" { return (412, json, "") }
        guard request.method == "GET" else { return (501, json, "") }
        if request.url.hasSuffix("Items(1)") {
            return (
                200, json,
                #"{"@odata.context":"$metadata#Items/$entity","@odata.etag":"\"2\"","ID":1,"Name":"theirs"}"#
            )
        }
        return (
            200, json,
            #"{"@odata.context":"$metadata#Items","value":[{"@odata.etag":"\"1\"","ID":1,"Name":"Lamp"}]}"#
        )
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="Shop.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
