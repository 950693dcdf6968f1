import ODataClient
import ODataModel
import ODataHTTP

/// Asks for a query whose URL the service finds too long (414): in a batch, else with the options in the body.
struct LongQuery {
    let client: ServiceClient

    let budget: RetryBudget

    func get(_ url: String, headers: HTTPHeaders) async throws -> HTTPStreamingResponse {
        if let answer = try await inBatch(url, headers: headers) { return answer }
        return try await inBody(url, headers: headers)
    }

    /// The only part of a batch; nil where the service takes none.
    private func inBatch(_ url: String, headers: HTTPHeaders) async throws
        -> HTTPStreamingResponse?
    {
        let target =
            url.hasPrefix(client.url.root) ? String(url.dropFirst(client.url.root.count)) : url
        let read = HTTPRequest(method: "GET", url: target, headers: headers)
        let encoded = try BatchRequest(items: [.request(BatchPart(request: read))]).multipart()
        let response = try await client.write(
            "POST",
            absolute: client.url.absolute("$batch"),
            headers: ["Content-Type": encoded.contentType, "Accept": "multipart/mixed"],
            body: encoded.body,
            budget: budget
        )
        guard response.isSuccess,
            let answer = try? BatchResponse(
                multipart: response.body,
                contentType: response.headers["Content-Type"] ?? ""
            ), let part = answer.parts.first?.response
        else { return nil }
        guard part.isSuccess else { throw ServiceClient.error(part, for: "GET") }
        let data = client.version.isV4 ? part : AtomAnswer.converted(part)
        return HTTPStreamingResponse(
            status: data.status,
            headers: data.headers,
            body: HTTPBody(data.body)
        )
    }

    /// OData 4.01 Part 2 § 4.17: `/$query` takes the options as text.
    private func inBody(_ url: String, headers: HTTPHeaders) async throws -> HTTPStreamingResponse {
        let path = url.prefix { $0 != "?" }
        var request = client.request("POST", absolute: path + "/$query", headers: headers)
        request.headers["Content-Type"] = "text/plain"
        request.body = Array(url.dropFirst(path.count + 1).utf8)
        let response = try await client.repeating(request, budget: budget)
        guard (200..<300).contains(response.status) else {
            throw await client.error(response, for: "POST $query")
        }
        return response
    }
}
