import ODataHTTP
import OfflineOData
import Testing

extension OfflineODataProvider {
    /// Sends the store a request that must succeed, and returns the body of its answer.
    @discardableResult
    func send(
        _ method: String,
        _ url: String,
        _ body: String = "",
        type: String = "application/json",
        transaction: String? = nil
    ) async throws -> String {
        let answer = await answer(method, url, body, type: type, transaction: transaction)
        let text = String(decoding: answer.body, as: UTF8.self)
        try #require(answer.isSuccess, "\(method) \(url): \(text)")
        return text
    }

    /// Sends the store a request, and returns its answer.
    func answer(
        _ method: String,
        _ url: String,
        _ body: String = "",
        type: String = "application/json",
        transaction: String? = nil
    ) async -> HTTPResponse {
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: ["Content-Type": type],
            body: Array(body.utf8)
        )
        let options = transaction.map(OfflineODataRequestOptions.transaction)
        return await respond(to: request, options: options ?? OfflineODataRequestOptions())
    }
}

extension OfflineODataRequestOptions {
    /// Options of a member of a transaction.
    static func transaction(_ id: String) -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        options.transactionID = id
        return options
    }
}
