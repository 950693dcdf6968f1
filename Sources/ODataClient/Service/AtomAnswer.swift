package import ODataModel
import ODataPayload
package import ODataHTTP

/// Answers in Atom and XML, from services of versions 1 to 3 that offer no JSON.
///
/// They are rewritten as the JSON of the same data where they come in, so that nothing behind it has to know two formats.
package enum AtomAnswer {
    /// The formats that are asked for: JSON, and Atom where the version has it.
    package static func accept(_ version: ODataVersion?) -> String {
        guard let version, !version.isV4 else { return "application/json" }
        let json = version == .v3 ? "application/json;odata=verbose" : "application/json"
        return json + ",application/atom+xml;q=0.9,application/xml;q=0.8"
    }

    /// Whether the header fields say that the body is Atom.
    static func isAtom(_ headers: HTTPHeaders) -> Bool {
        mediaType(headers) == "application/atom+xml"
    }

    /// Whether the body is Atom or the XML of links and properties.
    static func isXML(_ headers: HTTPHeaders) -> Bool {
        ["application/atom+xml", "application/xml", "text/xml"].contains(mediaType(headers))
    }

    private static func mediaType(_ headers: HTTPHeaders) -> String {
        (headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// Returns an answer whose body is rewritten as it arrives.
    static func converted(
        _ response: HTTPStreamingResponse,
        limits: PayloadLimits
    ) throws -> HTTPStreamingResponse {
        let body = try AtomBody(response.body, limits: limits)
        return HTTPStreamingResponse(
            status: response.status,
            headers: jsonHeaders(response.headers),
            body: HTTPBody { try await body.next() }
        )
    }

    /// Returns a successful answer with its body rewritten; any other one, and a body that is no data, as it is.
    ///
    /// A change was carried out whatever its answer looks like, and errors are read from XML as well.
    package static func converted(_ response: HTTPResponse) -> HTTPResponse {
        guard response.isSuccess, !response.body.isEmpty, isXML(response.headers),
            let json = try? AtomConverter.json(response.body)
        else { return response }
        return HTTPResponse(
            status: response.status,
            headers: jsonHeaders(response.headers),
            body: json
        )
    }

    private static func jsonHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
        var headers = headers
        headers["Content-Type"] = "application/json"
        headers["Content-Length"] = nil
        return headers
    }
}
