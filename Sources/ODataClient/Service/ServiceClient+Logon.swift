package import ODataHTTP

/// Pages of logon services, which answer to anything once a session has ended.
extension ServiceClient {
    /// Returns the answer to a change, or "unauthorized" in the place of a page that comes to the metadata document as well: then nobody
    /// has looked at the change.
    package func unmasked(_ response: HTTPResponse) async -> HTTPResponse {
        guard WebPage.isAnswer(response), await answersPages() else { return response }
        return HTTPResponse(
            status: 401,
            headers: ["Content-Type": "application/json"],
            body: Array(
                #"{"error":{"code":"logon","message":"a web page comes to every request, most likely a logon page: log on again"}}"#
                    .utf8
            )
        )
    }

    private func answersPages() async -> Bool {
        let look = request(
            "GET",
            absolute: url.absolute("$metadata"),
            headers: ["Accept": "application/xml"]
        )
        guard let answer = try? await repeating(look) else { return false }
        return (200..<300).contains(answer.status) && WebPage.isAnswered(answer.headers)
    }
}
