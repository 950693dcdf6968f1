import ODataValues
public import ODataHTTP
import Synchronization

/// A service that fails where a plan says so: each fault once.
public final class FaultyService: HTTPAnswering {
    private let handler: any HTTPHandler
    private let faults: [Fault]
    /// How many requests each fault has matched.
    private let counts: Mutex<[Int]>

    /// Lets a handler fail.
    ///
    /// - Parameter faults: JSON array of `{"match": "METHOD /path-prefix", "nth": n, "action": "drop-before|drop-after-commit|
    ///   truncate-body|status|delay|garbage", "status": 503, "retryAfter": 1, "bytes": n, "milliseconds": n}`; each acts once, on the
    ///   nth request that it matches.
    /// - Throws: ``FaultPlanError`` with the line of what is wrong.
    public init(handler: any HTTPHandler, faults json: [UInt8]) throws(FaultPlanError) {
        let faults = try Fault.list(json)
        self.handler = handler
        self.faults = faults
        counts = Mutex(Array(repeating: 0, count: faults.count))
    }

    /// Answers a request, or fails where the plan says so.
    public func answer(to request: HTTPRequest) async -> HTTPAnswer {
        guard let fault = fault(for: request) else {
            return .response(await handler.respond(to: request))
        }
        switch fault.action {
        case .dropBefore: return .dropConnection
        case .dropAfterCommit:
            _ = await handler.respond(to: request)
            return .dropConnection
        case .truncateBody(let bytes):
            return .truncatedBody(await handler.respond(to: request), bytes: bytes)
        case .status(let status, let retryAfter):
            var headers: HTTPHeaders = ["Content-Type": "text/plain"]
            if let retryAfter { headers["Retry-After"] = String(retryAfter) }
            return .response(
                HTTPResponse(
                    status: status,
                    headers: headers,
                    body: Array("a fault on purpose\n".utf8)
                )
            )
        case .delay(let time):
            // A request whose listener stops is answered at once.
            try? await Task.sleep(for: time)
            return .response(await handler.respond(to: request))
        case .garbage:
            _ = await handler.respond(to: request)
            return .rawBytes(Array("\u{7F}this is no HTTP\r\n\r\n".utf8))
        }
    }

    /// Counts the request; the first fault whose turn it is acts.
    private func fault(for request: HTTPRequest) -> Fault? {
        let path = request.url.replacing("%24", with: "$")
        return counts.guarded { counts in
            var acting: Fault?
            for (index, fault) in faults.enumerated()
            where [request.method, "*"].contains(fault.method) && path.hasPrefix(fault.pathPrefix) {
                counts[index] += 1
                if counts[index] == fault.nth, acting == nil { acting = fault }
            }
            return acting
        }
    }
}
