import Foundation
import TestSupport
import Testing

/// A plain REST service in another language from the command line, by path templates alone.
@Suite struct PlainRESTTests {
    @Test func opensChangesAndSynchronizes() async throws {
        let pipe = try LinePipe()
        let tests = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let service = try SpawnedProcess(
            "/usr/bin/env",
            ["python3", tests + "/Clients/rest_service.py"],
            input: .null,
            output: .descriptor(pipe.writingEnd),
            errors: .null
        )
        defer { service.send(SIGTERM) }
        var port: String?
        for await line in pipe.lines() {
            port = line
            break
        }
        let template = ["--template", "/departments/:id(\\d+)/:_employees?/:id(\\d+)?"]
        let root = "http://127.0.0.1:\(try #require(port))/api/"
        let scratch = try Scratch()
        let opened = try await Tool.run(
            ["open", "plain.store", "--service", root, "--query", "D=departments"] + template,
            in: scratch
        )
        #expect(opened.status == 0, "\(opened.errors)")
        let patched = try await Tool.run(
            ["patch", "plain.store", "departments(10)", "{\"name\":\"Sales and service\"}"],
            in: scratch
        )
        #expect(patched.status == 0, "\(patched.errors)")
        let synced = try await Tool.run(["sync", "plain.store"], in: scratch)
        #expect(synced.status == 0, "\(synced.errors)")
        let fresh = try await Tool.run(
            ["get", "plain.store", "departments(10)", "--fetch-policy", "FETCH_FROM_SERVICE"],
            in: scratch
        )
        #expect(fresh.output.contains("Sales and service"))
        #expect(fresh.output.contains("Ulm"))
        let wrong = try await Tool.run(
            ["download", "plain.store", "--template", "/:id"],
            in: scratch
        )
        #expect(wrong.status == 2)
    }
}
