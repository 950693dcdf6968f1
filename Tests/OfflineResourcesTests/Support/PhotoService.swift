import ODataValues
import ODataHTTP
import Synchronization

/// A service of one photo with a media stream and a scan, written by hand.
final class PhotoService: Sendable {
    private struct State {
        var content = Array("photo 1".utf8)
        var version = 1
        var headers: HTTPHeaders = [:]
        var isThere = true
    }

    private let state = Mutex(State())

    static let value = "Photos(1)/$value"

    /// The content that the service has.
    var content: [UInt8] { state.guarded { $0.content } }

    /// Somebody else replaces the content.
    func replace(_ content: [UInt8]) {
        state.guarded { ($0.content, $0.version) = (content, $0.version + 1) }
    }

    /// Sets what the answers to reads of the content say beside their ETag.
    func setHeaders(_ headers: HTTPHeaders) { state.guarded { $0.headers = headers } }

    /// Removes the content.
    func remove() { state.guarded { $0.isThere = false } }

    var answer: LiteralService.Answer { { [self] request in respond(request) } }

    private func respond(_ request: HTTPRequest) -> HTTPResponse? {
        let path = request.url.dropFirst("/odata/".count)
        if path == "Photos(1)" {
            return LiteralService.json(
                "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Photos/$entity\",\"ID\":1,\"Title\":\"one\"}"
            )
        }
        if path == "Photos(1)/Scan" {
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "image/tiff"],
                body: Array("scan".utf8)
            )
        }
        guard path == Self.value else { return nil }
        return state.guarded { state in
            let etag = "\"\(state.version)\""
            guard request.method == "GET" else { return Self.put(request, etag, &state) }
            guard state.isThere else { return HTTPResponse(status: 404) }
            if request.headers["If-None-Match"] == etag {
                return HTTPResponse(status: 304, headers: state.headers)
            }
            var headers: HTTPHeaders = ["Content-Type": "image/png", "ETag": etag]
            for field in state.headers.fields { headers[field.name] = field.value }
            return HTTPResponse(status: 200, headers: headers, body: state.content)
        }
    }

    private static func put(_ request: HTTPRequest, _ etag: String, _ state: inout State)
        -> HTTPResponse
    {
        let match = request.headers["If-Match"]
        guard match == "*" || match == etag || match == nil else {
            return LiteralService.json("{}", status: 412)
        }
        (state.content, state.version) = (request.body, state.version + 1)
        return HTTPResponse(status: 204, headers: ["ETag": "\"\(state.version)\""])
    }
}
