package import OfflineValues
import ODataPayload
import ODataText
package import ODataHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ServiceClient {
    /// The error in an answer.
    package func error(
        _ response: HTTPStreamingResponse,
        for method: String,
        at url: String? = nil
    ) async -> OfflineODataError {
        let body = (try? await response.body.collect(upTo: maximumBodySize)) ?? []
        return Self.error(
            HTTPResponse(status: response.status, headers: response.headers, body: body),
            for: method,
            at: url
        )
    }

    /// The error in an answer; a temporary one counts as a communication error.
    ///
    /// - Parameter url: What was asked for; it is named with its query, without credentials.
    package static func error(
        _ response: HTTPResponse,
        for method: String,
        at url: String? = nil
    ) -> OfflineODataError {
        let stated = ODataErrorBody(reading: response.body.span)
        let detail = stated.map { ": \($0.message)" } ?? ""
        let hint = hint(response, url ?? "")
        let request = url.map { RequestTitle.text(method, $0) } ?? method
        let isTemporary =
            unprocessed.contains(response.status)
            || [502, 503, 504].contains(response.status)
        var error = OfflineODataError(
            isTemporary ? .communication : .server,
            "the service answered \(response.status) to \(request)\(detail)\(hint)",
            httpStatus: response.status,
            code: stated.flatMap {
                $0.code.isEmpty ? nil : OfflineODataError.Code(rawValue: $0.code)
            }
        )
        if isTemporary {
            error.retryAfter = response.headers["Retry-After"].flatMap(RetryAfter.init)?
                .delay(from: .now)
        }
        error.isPage = WebPage.isNotFound(response)
        if response.status == 410 { error.location = response.headers["Location"] }
        return error
    }

    /// Returns an error of the transport that says which request got no answer.
    static func naming(_ request: HTTPRequest, in error: any Error) -> any Error {
        guard var named = error as? HTTPTransportError,
            named.code.isTemporary || named.code == .protocolViolation
        else { return error }
        named.message += " (\(RequestTitle.text(request.method, request.url)))"
        return named
    }

    private static func redirection(_ location: String) -> String {
        let origin = URLReference.origin(of: location)
        let place = origin.isEmpty ? "" : " to \(origin)"
        return
            "; it leads elsewhere\(place), perhaps to a logon page: check the service URL and the credentials"
    }

    /// What to look at first.
    private static func hint(_ response: HTTPResponse, _ url: String) -> String {
        switch response.status {
        case 202: "; it has accepted the request, and does not say where its answer comes"
        case let status where redirects.contains(status):
            redirection(response.headers["Location"] ?? "")
        case 401, 407: "; check the credentials"
        case 404 where url.hasSuffix("/$metadata"): "; is this the root of an OData service?"
        case 429, 503:
            response.headers["Retry-After"].map {
                "; it says when to come again: Retry-After: \($0)"
            }
                ?? ""
        default: ""
        }
    }
}

extension HTTPTransportError.Code {
    /// Whether the same request may succeed the next time.
    package var isTemporary: Bool {
        switch self {
        case .notConnected, .connectionLost, .timedOut: true
        case .bodyTooLarge, .protocolViolation, .unusableSettings: false
        }
    }
}
