import Foundation
import OfflinePolicies
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// A REST service in another language, used through path templates alone.
@Suite struct ForeignServiceTests {
    private let process: SpawnedProcess
    private let root: String
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "foreign-" + UUID().uuidString
    )

    init() async throws {
        let pipe = try LinePipe()
        let tests = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        process = try SpawnedProcess(
            "/usr/bin/env",
            ["python3", tests + "/Clients/rest_service.py"],
            input: .null,
            output: .descriptor(pipe.writingEnd),
            errors: .null
        )
        var first: String?
        for await line in pipe.lines() {
            first = line
            break
        }
        root = "http://127.0.0.1:\(try #require(first))/api/"
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func engine() async throws -> PolicyEngine {
        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        var options = RESTTransport.Options()
        options.pageSize = 1
        parameters.transport = RESTTransport(
            root: root,
            templates: [try RESTTemplate("/departments/:id(\\d+)/:_employees?/:id(\\d+)?")],
            options: options,
            base: CurlTransport()
        )
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        try await provider.open()
        return PolicyEngine(provider: provider)
    }

    @Test func worksOfflineAndSynchronizes() async throws {
        defer { process.send(SIGTERM) }
        let engine = try await engine()
        let all = try await engine.read("departments").entities ?? []
        #expect(all.map { $0["name"] } == ["Sales", "Research"])
        _ = try await engine.read("departments(10)/employees")
        try await engine.setOfflineMode(true)
        var sales = try #require(try await engine.read("departments(10)").entity)
        #expect(sales["location"]?["city"] == "Ulm")
        sales["name"] = "Sales and service"
        try await engine.update(sales)
        try await engine.delete(all[1])
        let created = try await engine.create(
            EntityValue(entitySet: "departments", ["name": "Garden"])
        )
        #expect(created.state == .queued)
        try await engine.setOfflineMode(false)
        #expect(try await engine.offlineEdits().isEmpty)
        let now = try await engine.read("departments").entities ?? []
        #expect(now.map { $0["name"] } == ["Sales and service", "Garden"])
        #expect(now.first?["location"]?["city"] == "Ulm")
        let staff = try await engine.read("departments(10)/employees").entities
        #expect(staff?.first?["name"] == "Ada")
    }
}
