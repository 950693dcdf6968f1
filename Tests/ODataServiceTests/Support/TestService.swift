import ODataModel
import ODataText
import ODataHTTP

@testable import ODataAnswers
@testable import ODataService

/// A service over a temporary file that is asked without any network.
struct TestService {
    let store: TableEntityStore
    let handler: StandaloneHandler

    /// The root of every service of the tests.
    static let root = "http://service.test/"

    init(
        metadata: [UInt8],
        data: [(name: String, json: [UInt8])] = [],
        settings: TableStoreSettings = TableStoreSettings(),
        options: StandaloneOptions = StandaloneOptions()
    ) async throws {
        let document = try CSDLDocument(reading: metadata)
        store = try TableEntityStore(document: metadata, model: document.model, settings: settings)
        try await DataImporter(store).importAll(data.map { .init(name: $0.name, json: $0.json) })
        handler = StandaloneHandler(store: store, options: options)
    }

    func send(
        _ method: String,
        _ url: String,
        _ headers: HTTPHeaders = [:],
        _ body: String? = nil
    ) async -> HTTPResponse {
        var headers = headers
        headers["Host"] = "service.test"
        if body != nil, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/json"
        }
        return await handler.respond(
            to: HTTPRequest(
                method: method,
                url: "/" + url,
                headers: headers,
                body: Array((body ?? "").utf8)
            )
        )
    }

    func get(_ url: String, _ headers: HTTPHeaders = [:]) async -> HTTPResponse {
        await send("GET", url, headers)
    }
}

extension TestService {
    /// The JSON of `value` in an answer without control information; its status and text where there is none.
    func valueText(_ url: String) async -> String {
        let response = await get(
            url.split(separator: " ").joined(separator: "%20"),
            ["Accept": "application/json;odata.metadata=none"]
        )
        guard response.status == 200, let tree = JSONTree(response.body),
            let value = tree.member("value")
        else { return "\(response.status) " + response.text }
        return String(decoding: tree.text(value), as: UTF8.self)
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension String {
    /// The text as it stands in a query option.
    var percentEncoded: String {
        var result = ""
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

extension TestService {
    /// The part of a link after the service root.
    static func relative(_ link: String) -> String {
        String(link.dropFirst(root.count))
    }
}
