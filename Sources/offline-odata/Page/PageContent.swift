import CommandSupport
import ODataProtocol

/// What stands behind a page: data as JSON, and actions.
protocol PageContent: Sendable {
    /// Answers a request for a path below `/$page/`.
    func answer(_ path: String, to request: HTTPRequest) async -> HTTPResponse
    /// Ends what still runs.
    func stop() async
}

extension PageContent {
    /// Runs one of several functions, chosen by method and path; a path that takes another method is answered by 405.
    func answer(
        _ path: String,
        to request: HTTPRequest,
        reads: [String: (HTTPRequest) async throws -> [UInt8]],
        actions: [String: (PageOrder) async throws -> [UInt8]] = [:]
    ) async -> HTTPResponse {
        do {
            if let read = reads[path] {
                guard ["GET", "HEAD"].contains(request.method) else {
                    return .pageRefusal(of: request.method, allowing: "GET, HEAD")
                }
                return .pageJSON(try await read(request))
            }
            guard let action = actions[path] else {
                throw CommandFailure(.notFound, "the page has no '\(path)'")
            }
            guard request.method == "POST" else {
                return .pageRefusal(of: request.method, allowing: "POST")
            }
            return .pageJSON(try await action(PageOrder(request)))
        } catch {
            return .pageFailure(CommandFailure(error))
        }
    }
}
