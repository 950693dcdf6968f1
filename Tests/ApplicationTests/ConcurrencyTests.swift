import OfflineOData
import Testing

/// Settings and values on their way between tasks, into files and back.
@Suite struct ConcurrencyTests {
    /// What a view model has: settings that it keeps, and hands to more than one provider.
    @MainActor final class Model {
        let parameters = OfflineODataParameters()
        let options = OfflineODataRequestOptions()

        func make(_ name: String) async throws -> OfflineODataProvider {
            parameters.storeName = name
            return try await OfflineODataProvider.make(
                serviceRoot: ScriptedService.root,
                parameters: parameters
            )
        }
    }

    private func directory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    @Test func sharesParametersAndOptions() async throws {
        let directory = try directory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let model = Model()
        model.parameters.storePath = directory
        model.parameters.transport = ScriptedService.shop()
        let first = try await model.make("first")
        let second = try await model.make("second")
        #expect(model.parameters.storeName == "second")
        try await first.addDefiningQuery(OfflineODataDefiningQuery(name: "I", query: "Items"))
        try await first.open()
        model.options.customTag = "shared"
        let options = model.options
        async let a = first.createEntity(
            EntityValue(entitySet: "Items", ["ID": 8]),
            options: options
        )
        async let b = first.createEntity(
            EntityValue(entitySet: "Items", ["ID": 9]),
            options: options
        )
        #expect(try await [a, b].count == 2)
        #expect(try await first.requestQueue().map(\.customTag) == ["shared", "shared"])
        var rest: [Int64] = []
        for try await request in first.requests.skipping(1) { rest.append(request.id) }
        #expect(try await rest == first.requestQueue().dropFirst().map(\.id))
        await #expect(throws: OfflineODataError.self) {
            _ = try await first.executeQuery(ODataQuery("Items").top(-1))
        }
        try await first.close()
        let answer = await first.respond(to: HTTPRequest(method: "GET", url: "Items"))
        #expect(answer.status == 503)
        try await second.close()
    }

    @Test func keepsResultsInFiles() throws {
        var result = OfflineODataUploadResult()
        (result.succeededCount, result.duration) = (3, .milliseconds(1_500))
        let kept = try JSONDecoder().decode(
            OfflineODataUploadResult.self,
            from: JSONEncoder().encode(result)
        )
        #expect(kept == result)
        let headers: HTTPHeaders = ["A": "1", "B": "2"]
        let read = try JSONDecoder().decode(HTTPHeaders.self, from: JSONEncoder().encode(headers))
        #expect(Set([headers, read]).count == 1)
        let error = OfflineODataError(.notFound, "nothing", code: .notFound)
        #expect(error == OfflineODataError(.notFound, "nothing", cause: CancellationError()))
        #expect(error != OfflineODataError(.server, "nothing"))
    }
}
