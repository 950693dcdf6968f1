import OfflineOData
import ODataHTTP
import ODataSQLite
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The store's own file cannot be read while an answer is looked into: that is not taken for an answer of the service.
@Suite struct UnreadableStoreTests {
    /// Passes requests on, and runs an action before one of them is answered.
    private struct InterruptedTransport: HTTPTransport {
        let service: RecordedService
        let request: String
        let action: @Sendable () throws -> Void

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            let name = "\(request.method) \(request.url.dropFirst(service.root.count))"
            if name == self.request { try action() }
            return try await service.send(request, options: options)
        }
    }

    /// Renames a column of the base copies, so that reading them fails.
    private static func breakBaseCopies(in path: String) throws {
        try SQLiteConnection(path: path, mode: .readWrite)
            .execute(#"ALTER TABLE "$base:Orders" RENAME COLUMN "Title" TO "$away""#)
    }

    @Test func keepsARefusedRequestWhoseCauseCannotBeFound() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let directory = try TemporaryDirectory()
        let path = directory.path + "/localstore.sqlite"
        let transport = InterruptedTransport(service: service, request: "GET Orders(1)") {
            try Self.breakBaseCopies(in: path)
        }
        service.set("GET Orders", Self.page("1", "a"))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(1)", HTTPResponse(status: 412))
        service.set("GET Orders(1)", RecordedService.json(Self.order("2", "theirs")))
        let provider = try await service.opened(["Orders"]) {
            $0.storePath = URL(filePath: directory.path)
            $0.transport = transport
        }
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = .string("mine")
        try await provider.updateEntity(order)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await provider.requestQueue().count == 1)
    }

    private static func order(_ etag: String, _ title: String) -> String {
        "{\"@odata.etag\":\"W/\\\"\(etag)\\\"\",\"ID\":1,\"Title\":\"\(title)\",\"Note\":\"n\"}"
    }

    private static func page(_ etag: String, _ title: String) -> HTTPResponse {
        RecordedService.json("{\"value\":[\(order(etag, title))]}")
    }
}
