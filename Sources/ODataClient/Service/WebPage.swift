package import OfflineValues
package import ODataHTTP

/// A page for people, which a logon service or a gateway answers with in the place of the service.
package enum WebPage {
    static func isAnswered(_ headers: HTTPHeaders) -> Bool {
        guard let type = headers["Content-Type"]?.lowercased() else { return false }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }

    /// Whether an answer is one; without a body it says nothing.
    package static func isAnswer(_ response: HTTPResponse) -> Bool {
        response.isSuccess && !response.body.isEmpty && isAnswered(response.headers)
    }

    /// Whether "not found" comes as text for people: then it may be a gateway's, whose service cannot be reached.
    static func isNotFound(status: Int, headers: HTTPHeaders) -> Bool {
        guard status == 404, headers["OData-Version"] == nil, headers["DataServiceVersion"] == nil
        else { return false }
        return isAnswered(headers)
            || headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? false
    }

    /// Whether an answer says "not found" as text for people.
    package static func isNotFound(_ response: HTTPResponse) -> Bool {
        isNotFound(status: response.status, headers: response.headers)
    }

    /// Says that "not found" does not come from the service.
    static func insteadOfService(to request: String) -> OfflineODataError {
        OfflineODataError(
            .communication,
            "the answer to \(request) is a page with status 404, and so is that to $metadata: a gateway answers in the place of"
                + " the service; check the service URL, or call again when the service is back"
        )
    }

    /// What is said where data was asked for.
    static func insteadOfData(of url: String, status: Int) -> OfflineODataError {
        OfflineODataError(
            .server,
            "the service answered a web page to \(RequestTitle.text("GET", url)), most likely a logon page;"
                + " check the credentials and the service URL",
            httpStatus: status
        )
    }

    /// What is said where a change was sent at once, past the queue.
    package static func insteadOfResult(ofDirect method: String, status: Int) -> OfflineODataError {
        OfflineODataError(
            .communication,
            "the service answered a web page to \(method), most likely a logon page; check the credentials and the"
                + " service URL, and look at the service whether the change was made",
            httpStatus: status
        )
    }

    /// The text for a change: the page does not show whether it was carried out.
    package static func insteadOfResult(of method: String, status: Int) -> OfflineODataError {
        OfflineODataError(
            .communication,
            "the service answered a web page to \(method), most likely a logon page; check the credentials and the"
                + " service URL, and call upload again to find out what became of the change",
            httpStatus: status
        )
    }
}
