package import ODataProtocol
package import ODataService

/// Answers with a handler, and fails where a plan says so.
package struct FaultyAnswering: HTTPAnswering {
    private let handler: any HTTPHandler
    private let plan: FaultPlan

    package init(_ handler: any HTTPHandler, plan: FaultPlan) {
        self.handler = handler
        self.plan = plan
    }

    package func answer(to request: HTTPRequest) async -> HTTPAnswer {
        switch plan.action(for: request) {
        case nil: return .response(await handler.respond(to: request))
        case .dropBefore: return .dropConnection
        case .dropAfterCommit:
            _ = await handler.respond(to: request)
            return .dropConnection
        case .truncateBody(let bytes):
            return .truncatedBody(await handler.respond(to: request), bytes: bytes)
        case .garbage(let bytes):
            return .rawBytes((0..<bytes).map { UInt8(truncatingIfNeeded: 0x80 | $0 &* 37) })
        case .status(let status, let retryAfter):
            var response = HTTPResponse(status: status)
            response.headers["Retry-After"] = retryAfter.map { String($0) }
            return .response(response)
        case .delay(let milliseconds):
            try? await Task.sleep(for: .milliseconds(milliseconds))
            return .response(await handler.respond(to: request))
        }
    }
}
