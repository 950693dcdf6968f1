import ODataValues
import FieldServiceMetadata
import ODataModel
import ODataHTTP
import ODataAnswers
import ODataService
import Synchronization
import TestSupport

/// A service that several stores use, whose model grows while they do.
final class OracleService: HTTPHandler {
    let log = Witness()
    private let directory: TemporaryDirectory
    private let handler: Mutex<any HTTPHandler>
    private let version = Mutex(0)
    private static let documents = [
        FieldServiceMetadata.v1, FieldServiceMetadata.v2, FieldServiceMetadata.v3,
    ]

    init() throws {
        directory = try TemporaryDirectory()
        let first = try Self.handler(directory.path, Self.documents[0], log)
        handler = Mutex(first)
    }

    private static func handler(
        _ directory: String,
        _ document: [UInt8],
        _ log: Witness
    ) throws -> any HTTPHandler {
        let tables = try TableEntityStore(
            path: directory + "/service.sqlite",
            document: document,
            model: try CSDLDocument(reading: document).model
        )
        var options = StandaloneOptions()
        options.service.serviceRoot = SampleService.root
        options.service.pageSize = 4
        options.tracksChanges = true
        options.isRepeatable = true
        return StandaloneHandler(store: log.store(tables), options: options)
    }

    /// Whether the model has the properties that came with the second version.
    var hasGrown: Bool { version.guarded { $0 } > 0 }

    /// Goes over to the next version of the model, if there is one; what requests it has answered is forgotten.
    func grow() throws {
        let next = version.guarded { $0 + 1 }
        guard next < Self.documents.count else { return }
        let grown = try Self.handler(directory.path, Self.documents[next], log)
        handler.guarded { $0 = grown }
        version.guarded { $0 = next }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        await handler.guarded { $0 }.respond(to: request)
    }

    /// A change past every store.
    func change(_ method: String, _ url: String, _ body: String = "") async -> HTTPResponse {
        var headers: HTTPHeaders = ["Host": "service.test", "If-Match": "*"]
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        return await respond(
            to: HTTPRequest(
                method: method,
                url: "/odata/" + url,
                headers: headers,
                body: Array(body.utf8)
            )
        )
    }
}

/// The way from one store to the service: where its requests meet what was planned for them.
final class OracleDoor: HTTPHandler {
    private let service: OracleService
    private let hasDeltas: Bool
    private let afterAnswer = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ service: OracleService, hasDeltas: Bool) {
        self.service = service
        self.hasDeltas = hasDeltas
    }

    /// Runs once the service has carried out the next request.
    func afterNextAnswer(_ action: (@Sendable () -> Void)?) {
        afterAnswer.guarded { $0 = action }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var request = request
        if !hasDeltas { request.headers["Prefer"] = nil }
        let response = await service.respond(to: request)
        let action = afterAnswer.guarded { action in
            defer { action = nil }
            return action
        }
        action?()
        return response
    }
}
