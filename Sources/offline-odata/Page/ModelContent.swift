import CommandSupport
import ODataModel
import ODataProtocol

/// The content of the page of a service that has no store behind it: its model.
struct ModelContent: PageContent {
    let name: String
    let model: EdmModel

    func answer(_ path: String, to request: HTTPRequest) async -> HTTPResponse {
        await answer(
            path,
            to: request,
            reads: [
                "about": { _ in about() },
                "model": { _ in ModelJSON(model: model).json() },
            ]
        )
    }

    func stop() async {}

    private func about() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", value: "service")
        writer.member("name", value: name)
        writer.member("version", value: model.version.rawValue)
        writer.endObject()
        return writer.bytes
    }
}
