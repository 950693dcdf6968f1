import ODataText
import OfflineValues
import ODataValues
package import ODataHTTP

/// Reading streams, which services keep at other origins too.
extension ServiceClient {
    /// A stream at an origin that is not allowed.
    package struct ForeignStream: Error {
        package var origin: String
    }

    /// Asks for a stream; where a link or a redirect leads to another origin that is allowed, without credentials, cookies and the
    /// application's header fields: they are the service's alone.
    ///
    /// - Throws: ``ForeignStream`` where the origin is not allowed; else as `get` does.
    package func stream(
        _ link: String,
        headers: HTTPHeaders,
        budget: RetryBudget? = nil
    ) async throws -> HTTPStreamingResponse {
        let budget = budget ?? self.budget()
        var place = try place(of: link)
        var hasLeft = false
        for _ in 0...Self.maximumRedirects {
            hasLeft = hasLeft || !place.isOwn
            let response =
                hasLeft
                ? try await plain(place.url, headers: headers, budget: budget)
                : try await repeating(
                    request("GET", absolute: place.url, headers: headers),
                    leavesForeignRedirects: true,
                    budget: budget
                )
            guard Self.redirects.contains(response.status),
                let location = response.headers["Location"]
            else {
                let answer = hasLeft ? response : try await awaited(response, of: place.url)
                return try await content(answer, place)
            }
            place = try self.place(of: location, against: place)
        }
        throw OfflineODataError(.server, "the redirects of a stream have no end", httpStatus: 310)
    }

    /// The answer where it is a content, or says that there is none or no other; "accepted" (202) is no empty one.
    private func content(_ response: HTTPStreamingResponse, _ place: Place) async throws
        -> HTTPStreamingResponse
    {
        if [200, 203, 204, 206, 304].contains(response.status) { return response }
        throw await error(response, for: "GET", at: place.url)
    }

    /// Where a stream is.
    private struct Place {
        var url: String
        var isOwn: Bool
    }

    private func place(of link: String, against former: Place? = nil) throws -> Place {
        let isComplete = former == nil && !link.hasPrefix("//")
        let base = isComplete ? link : URLReference.joined(link, to: former?.url ?? url.root)
        let origin = URLReference.origin(of: base)
        if !origin.isEmpty, origin != url.origin, settings.allowedOrigins.contains(origin) {
            return Place(url: PercentEncoding.completed(base), isOwn: false)
        }
        guard let own = try? url.resolve(base) else { throw ForeignStream(origin: origin) }
        return Place(url: own, isOwn: true)
    }

    /// Sends a request without credentials.
    private func plain(
        _ url: String,
        headers: HTTPHeaders,
        budget: RetryBudget
    ) async throws -> HTTPStreamingResponse {
        let request = HTTPRequest(method: "GET", url: url, headers: headers)
        var options = HTTPRequestOptions()
        options.idleTimeout = settings.timeout
        return try await repeating(budget) {
            try await transport.send(request, options: options)
        }
    }
}
