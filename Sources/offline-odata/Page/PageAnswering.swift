import ODataHTTPServer
import ODataProtocol

/// Answers a service's requests, and beside them those of the page that shows the service in a browser.
struct PageAnswering: HTTPAnswering {
    /// Answers what the page does not.
    let service: any HTTPAnswering
    let content: any PageContent

    /// The files hold no data: the page must be there to ask for the token.
    func needsNoToken(_ head: HTTPRequest) -> Bool {
        switch PageAddress(head) {
        case .document, .file: ["GET", "HEAD"].contains(head.method)
        case .content, nil: false
        }
    }

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
        switch PageAddress(request) {
        case .document:
            let host = request.headers["Host"] ?? ""
            return .response(
                HTTPResponse(
                    status: 200,
                    headers: PageHeaders.document(host: host),
                    body: PageFile.document.bytes
                )
            )
        case .file(let file): return .response(Self.answer(request, with: file))
        case .content(let path): return .response(await content.answer(path, to: request))
        case nil: return await serviceAnswer(to: request)
        }
    }

    private static func answer(_ request: HTTPRequest, with file: PageFile) -> HTTPResponse {
        guard ["GET", "HEAD"].contains(request.method) else {
            return .pageRefusal(of: request.method, allowing: "GET, HEAD")
        }
        return HTTPResponse(
            status: 200,
            headers: PageHeaders.own(file.contentType, caching: "no-cache"),
            body: file.bytes
        )
    }

    private func serviceAnswer(to request: HTTPRequest) async -> HTTPAnswer {
        switch await service.answer(to: request) {
        case .response(let response):
            var response = PageHeaders.protect(response)
            if request.url.prefix(while: { $0 != "?" }) == "/" {
                response.headers.add("Vary", "Accept")
            }
            return .response(response)
        case .truncatedBody(let response, let bytes):
            return .truncatedBody(PageHeaders.protect(response), bytes: bytes)
        case let failure: return failure
        }
    }
}
