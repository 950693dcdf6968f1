import FieldService
import FieldServiceMetadata
import ODataModel
import ODataHTTP
import ODataAnswers
import ODataService
import OfflineOData
import TestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The sample service in this process, and stores that load from it.
struct SampleService {
    let tables: TableEntityStore
    let transport: HandlerTransport

    static let root = "http://service.test/odata/"

    init(
        _ document: [UInt8] = FieldServiceMetadata.v1,
        pageSize: Int? = 200,
        sets: [String] = FieldServiceData.setNames,
        options change: (inout StandaloneOptions) -> Void = { _ in }
    ) async throws {
        tables = try TableEntityStore(
            document: document,
            model: try CSDLDocument(reading: document).model
        )
        _ = try await DataImporter(tables).importAll(
            sets.map { .init(name: $0, json: FieldServiceData.json(forSet: $0)) }
        )
        transport = HandlerTransport(Self.handler(tables, pageSize, change))
    }

    static func handler(
        _ tables: TableEntityStore,
        _ pageSize: Int?,
        _ change: (inout StandaloneOptions) -> Void = { _ in }
    ) -> StandaloneHandler {
        var options = StandaloneOptions()
        options.service.serviceRoot = root
        options.service.pageSize = pageSize
        options.tracksChanges = true
        change(&options)
        return StandaloneHandler(store: tables, options: options)
    }

    /// A provider with a store of its own in a new directory.
    func provider(
        _ directory: TemporaryDirectory,
        transport: (any HTTPTransport)? = nil,
        delegate: (any OfflineODataDelegate)? = nil,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = transport ?? self.transport
        parameters.retryPolicy = .never
        parameters.storeKey = TestKey.store
        change(parameters)
        return try OfflineODataProvider(
            serviceRoot: Self.root,
            parameters: parameters,
            delegate: delegate
        )
    }

    /// What the service answers itself.
    func get(_ url: String) async -> HTTPResponse {
        await StandaloneHandler(store: tables, options: StandaloneOptions())
            .respond(
                to: HTTPRequest(method: "GET", url: "/" + url, headers: ["Host": "service.test"])
            )
    }
}

/// A directory that goes with its last holder.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appending(
                path: "offline-odata-" + UUID().uuidString
            ).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

extension SampleService {
    /// Changes the service's data past every store.
    func change(
        _ method: String,
        _ url: String,
        _ body: String,
        _ headers: HTTPHeaders = [:]
    ) async -> HTTPResponse {
        var headers = headers
        headers["Host"] = "service.test"
        headers["Content-Type"] = "application/json"
        return await Self.handler(tables, nil).respond(
            to: HTTPRequest(
                method: method,
                url: "/odata/" + url,
                headers: headers,
                body: Array(body.utf8)
            )
        )
    }
}
