package import ODataAnswers
package import ODataHTTP

/// Answers requests over tables as a service of its own: with delta links, repeatable requests and tokens against forged ones.
package final class StandaloneHandler: HTTPHandler {
    private let handler: ODataServiceHandler
    private let csrf: CSRFGuard?

    package init(store: any EntityStore, options: StandaloneOptions = StandaloneOptions()) {
        var additions = ServiceAdditions()
        if options.tracksChanges { additions.deltas = { DeltaAnswer(read: $0) } }
        if options.isRepeatable {
            additions.repeats = RepeatedRequests((store as? TableEntityStore)?.requestMemory)
        }
        handler = ODataServiceHandler(
            store: store,
            options: options.service,
            additions: additions
        )
        csrf = options.wantsCSRFToken ? CSRFGuard() : nil
    }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = csrf?.refusal(of: request) { return refusal }
        var response = await handler.respond(to: request)
        csrf?.addToken(to: &response, for: request)
        return response
    }
}
