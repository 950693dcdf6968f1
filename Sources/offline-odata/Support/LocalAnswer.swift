import CommandSupport
import ODataProtocol
import OfflineOData

/// What the store answered to a request in OData form.
struct LocalAnswer {
    let response: HTTPResponse
    /// Whether JSON was asked for outright: then an answer without content is null.
    var isJSON = false
    /// What was asked for, for messages.
    var url: String?

    /// The body for standard output: text with a newline at its end, anything else as it is.
    ///
    /// - Throws: ``CommandFailure`` with the error in the answer, unless it is a success.
    func body() throws(CommandFailure) -> [UInt8] {
        guard response.isSuccess else { throw failure }
        if isJSON, response.body.isEmpty { return Array("null\n".utf8) }
        if isJSON, !isOfType("application/json") { return try json() + [0x0A] }
        guard isText, let last = response.body.last, last != 0x0A else { return response.body }
        return response.body + [0x0A]
    }

    /// A raw value as JSON: numbers and Booleans as they are, any other text as a string.
    private func json() throws(CommandFailure) -> [UInt8] {
        guard let text = String(validating: response.body, as: UTF8.self) else {
            throw CommandFailure(
                .invalid,
                "the answer is \(response.headers["Content-Type"] ?? "content of no type"), which JSON cannot hold",
                advice:
                    "Leave out --json, or write the content to a file: `get STORE URL --output FILE`."
            )
        }
        switch ODataValue(json: text) {
        case .boolean, .integer, .double, .number: return response.body
        default:
            var writer = JSONWriter()
            writer.string(text)
            return writer.bytes
        }
    }

    private var isText: Bool {
        ["application/json", "text/plain", "application/xml"].contains(where: isOfType)
    }

    func isOfType(_ name: String) -> Bool {
        response.headers["Content-Type"].flatMap { MediaType($0) }?.isType(name) ?? false
    }

    private var failure: CommandFailure {
        let stated = ODataErrorBody(reading: response.body.span)?.message
        let plain =
            response.body.count < 4_096 ? String(decoding: response.body, as: UTF8.self) : ""
        let message = stated ?? (plain.isEmpty ? "the store answered \(response.status)" : plain)
        let place = url.map { message.contains($0) ? "" : ": \($0)" } ?? ""
        return CommandFailure(
            Self.exit(response.status),
            response.status == 404 ? message + place : message
        )
    }

    private static func exit(_ status: Int) -> ExitStatus {
        switch status {
        case 404, 410: .notFound
        case 503: .communication
        case 400, 405, 406, 413...415, 501: .invalid
        default: .failed
        }
    }
}
