package import OfflineValues
import ODataPayload
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
    /// - Parameter url: What was asked for; where access to it is refused, its address is named, without the query.
    package static func error(
        _ response: HTTPResponse,
        for method: String,
        at url: String? = nil
    ) -> OfflineODataError {
        let stated = ODataErrorBody(reading: response.body.span)
        let detail = stated.map { ": \($0.message)" } ?? ""
        let hint = [401, 407].contains(response.status) ? "; check the credentials" : ""
        let address = [401, 403, 407].contains(response.status) ? url?.prefix { $0 != "?" } : nil
        let request = [method] + (address.map { [String($0)] } ?? [])
        let isTemporary =
            unprocessed.contains(response.status)
            || [502, 503, 504].contains(response.status)
        var error = OfflineODataError(
            isTemporary ? .communication : .server,
            "the service answered \(response.status) to \(request.joined(separator: " "))\(detail)\(hint)",
            httpStatus: response.status,
            code: stated.flatMap {
                $0.code.isEmpty ? nil : OfflineODataError.Code(rawValue: $0.code)
            }
        )
        if response.status == 410 { error.location = response.headers["Location"] }
        return error
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
