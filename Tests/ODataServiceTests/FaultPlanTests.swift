import ODataProtocol
import Testing

@testable import ODataService

@Suite struct FaultPlanTests {
    private func request(_ method: String, _ url: String) -> HTTPRequest {
        HTTPRequest(method: method, url: url)
    }

    @Test func actsOnceOnTheRequestItWaitsFor() throws {
        let plan = try FaultPlan(
            json: Array(
                #"""
                [{"match": "POST /$batch", "nth": 2, "action": "drop-after-commit"},
                 {"match": "* /Parts", "action": "status", "status": 503, "retryAfter": 1},
                 {"match": "GET /Parts", "nth": 2, "action": "truncate-body", "bytes": 10}]
                """#.utf8
            )
        )
        #expect(plan.action(for: request("POST", "/$batch")) == nil)
        #expect(plan.action(for: request("GET", "/$batch")) == nil)
        #expect(plan.action(for: request("POST", "http://h:1/$batch")) == .dropAfterCommit)
        #expect(plan.action(for: request("POST", "/$batch")) == nil)
        #expect(plan.action(for: request("GET", "/Parts?$top=1")) == .status(503, retryAfter: 1))
        #expect(plan.action(for: request("GET", "/Parts")) == .truncateBody(bytes: 10))
        #expect(plan.action(for: request("GET", "/Parts")) == nil)
    }

    @Test(arguments: [
        (#""action": "drop-before""#, Fault.Action.dropBefore),
        (#""action": "delay", "milliseconds": 5"#, .delay(milliseconds: 5)),
        (#""action": "garbage", "bytes": 3"#, .garbage(bytes: 3)),
        (#""action": "status", "status": 401"#, .status(401, retryAfter: nil)),
    ])
    func readsActions(text: String, action: Fault.Action) throws {
        let plan = try FaultPlan(json: Array("[{\"match\": \"GET /\", \(text)}]".utf8))
        #expect(plan.action(for: request("GET", "/x")) == action)
    }

    @Test(arguments: [
        "", "{}", "[1]", "[{}]", #"[{"match": "GET", "action": "drop-before"}]"#,
        #"[{"match": "GET x", "action": "drop-before"}]"#,
        #"[{"match": "GET /", "action": "explode"}]"#,
        #"[{"match": "GET /", "nth": 0, "action": "drop-before"}]"#,
        #"[{"match": "GET /", "nth": "1", "action": "drop-before"}]"#,
        #"[{"match": "GET /", "action": "status"}]"#,
        #"[{"match": "GET /", "action": "status", "status": 7}]"#,
        #"[{"match": "GET /", "action": "delay", "milliseconds": -1}]"#,
    ])
    func refusesOtherTexts(json: String) {
        #expect(throws: FaultPlanError.self) { try FaultPlan(json: Array(json.utf8)) }
    }
}
