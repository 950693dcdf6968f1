import OfflineOData
import Synchronization
import Testing

/// What a file of data says of the properties in it.
@Suite struct PartialExportTests {
    /// A query that brings everything fills up what another one leaves out.
    @Test(arguments: [
        (["Orders?$select=ID,Title"], "#Orders(ID,Title)"),
        (["Orders?$select=ID,Title", "Orders?$filter=Price%20gt%201"], "#Orders\""),
    ])
    func namesThePropertiesThatAnyQueryBrings(_ queries: [String], _ context: String) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        for query in queries {
            service.set("GET \(query)", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        }
        let provider = try await service.opened(queries)
        let text = Mutex<String>("")
        _ = try await provider.exportData { file in
            text.withLock { $0 += String(decoding: file.json, as: UTF8.self) }
        }
        #expect(text.withLock { $0 }.contains(context))
    }
}
