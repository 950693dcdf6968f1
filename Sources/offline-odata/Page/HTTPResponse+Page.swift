import CommandSupport
import ODataProtocol

extension HTTPResponse {
    /// Data for the page; it is never kept, since the store changes.
    static func pageJSON(_ json: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: PageHeaders.own("application/json; charset=utf-8", caching: "no-store"),
            body: json
        )
    }

    /// A failure, as `{"error": {"message": …, "details": […]}}`.
    static func pageFailure(_ failure: CommandFailure) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.beginObject()
        writer.member("message", value: failure.message)
        writer.member("details", values: failure.details)
        writer.endObject()
        writer.endObject()
        return .pageJSON(writer.bytes, status: status(of: failure.status))
    }

    /// An answer to a method that the path does not take.
    static func pageRefusal(of method: String, allowing methods: String) -> HTTPResponse {
        let failure = CommandFailure(.failed, "\(method) is not allowed here: use \(methods)")
        var response = pageFailure(failure)
        response.status = 405
        response.headers["Allow"] = methods
        return response
    }

    private static func status(of status: ExitStatus) -> Int {
        switch status {
        case .invalid: 400
        case .notFound: 404
        case .communication: 502
        default: 409
        }
    }
}
