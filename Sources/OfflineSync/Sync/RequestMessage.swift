import ODataText
import StoreUpload
import ODataClient
import StoreRecords
package import ODataModel
package import ODataHTTP

extension OutgoingRequest {
    /// The HTTP request, for a batch part or by itself.
    ///
    /// - Parameters:
    ///   - url: Where it goes: below the service root for a part, absolute by itself.
    ///   - tunnelsMethods: Whether methods that gateways do not know are sent as POST with `X-HTTP-Method`.
    package func message(url: String, version: ODataVersion, _ settings: UploadSettings)
        -> HTTPRequest
    {
        var headers = headers
        headers["Accept"] = AtomAnswer.accept(version)
        if body != nil {
            headers["Content-Type"] = contentType(version)
            if version.isV4 {
                headers["OData-Version"] = "4.0"
            } else {
                headers["DataServiceVersion"] = version == .v3 ? "3.0" : "2.0"
            }
        }
        askForRepresentation(&headers, version: version)
        if entry.flags.contains(.identified), let unit = entry.unit, let firstSent = entry.firstSent
        {
            headers["Repeatability-Request-ID"] = unit
            headers["Repeatability-First-Sent"] = HTTPDateText.of(timestamp: firstSent)
        }
        var method = method
        if settings.tunnelsMethods, ["PATCH", "MERGE", "PUT", "DELETE"].contains(method) {
            headers["X-HTTP-Method"] = method
            method = "POST"
        }
        return HTTPRequest(
            method: method,
            url: PercentEncoding.completed(url),
            headers: headers,
            body: Array((body ?? "").utf8)
        )
    }

    private func contentType(_ version: ODataVersion) -> String {
        guard isAtom else {
            return version == .v3 ? "application/json;odata=verbose" : "application/json"
        }
        return entry.url.contains("/$ref") ? "application/xml" : "application/atom+xml;type=entry"
    }

    /// The representation brings the ETag that the next update needs.
    private func askForRepresentation(_ headers: inout HTTPHeaders, version: ODataVersion) {
        guard headers["Prefer"] == nil, !entry.url.contains("/$ref"), !entry.isOnStream else {
            return
        }
        if version.isV4, ["POST", "PATCH", "PUT"].contains(entry.method) {
            headers["Prefer"] = "return=representation"
        } else if version == .v3, ["PATCH", "PUT"].contains(entry.method) {
            headers["Prefer"] = "return-content"
        }
    }
}
