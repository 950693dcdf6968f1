import FieldService
import FieldServiceMetadata
import Foundation
import TestSupport
import Testing

/// The technician's day of `samples/policy-day`, against the sample service.
@Suite struct PolicyDayTests {
    @Test func runsFromMorningToNextMorning() async throws {
        let scratch = try Scratch()
        try scratch.write(FieldServiceMetadata.v1, to: "metadata.xml")
        try scratch.makeDirectory("data")
        for name in FieldServiceData.setNames {
            try scratch.write(
                FieldServiceData.json(forSet: name, scale: 1),
                to: "data/\(name).json"
            )
        }
        try scratch.makeDirectory("stores")
        let (service, root) = try await RunningTool.service([
            "--metadata", scratch.path("metadata.xml"), "--data", scratch.path("data"),
        ])
        let program = URL(filePath: Tool.path).deletingLastPathComponent()
            .appending(path: "policy-day").path()
        let policies =
            "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            + "/samples/policy-day/policies.json"
        let process = try SpawnedProcess(
            program,
            [root, scratch.path("stores"), policies],
            input: .null,
            output: .file(scratch.path("output")),
            errors: .file(scratch.path("errors"))
        )
        let status = try await process.status()
        let errors = try scratch.read("errors")
        #expect(status == 0, "\(errors)")
        let output = try scratch.read("output")
        #expect(output.contains("on site: 5 orders from the store, colleagues: nowhere\n"))
        #expect(output.contains("waiting: 3 resources\n"))
        #expect(output.contains("changed here: Title\n"))
        #expect(output.contains("evening: 0 resources still wait, 0 conflicts\n"))
        #expect(output.hasSuffix("next morning: customers: nowhere, orders from the store\n"))
        try expectNoColleague(scratch)
        _ = await service.end()
    }

    /// What must not be cached is in no file of the stores.
    private func expectNoColleague(_ scratch: Scratch) throws {
        let json = FieldServiceData.json(forSet: "Technicians", scale: 1)
        let text = String(decoding: json, as: UTF8.self)
        let match = try #require(text.firstMatch(of: /"Email" ?: ?"([^"]+)"/))
        let email = String(match.1)
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path("stores")) {
            let bytes = try Data(contentsOf: scratch.url("stores/" + name))
            #expect(bytes.firstRange(of: Data(email.utf8)) == nil, "\(name)")
        }
    }
}
