import ODataHTTP
import Synchronization
import Testing

@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData

/// What a logger hears of the decisions that a person makes about waiting changes, and of imported streams.
@Suite struct DecisionRecordTests {
    /// Collects the records of one provider.
    private final class Collector: OfflineODataLogger {
        let level = OfflineODataLogLevel.trace
        private let records = Mutex<[OfflineODataLogRecord]>([])

        func log(_ record: OfflineODataLogRecord) { records.withLock { $0.append(record) } }

        func record(_ event: String) -> OfflineODataLogRecord? {
            records.withLock { all in all.last { $0.event == event } }
        }

        var text: String { records.withLock { all in all.map { "\($0.fields)" }.joined() } }
    }

    private func logged(_ answers: [String: String] = [:]) async throws -> (Depot, Collector) {
        let collector = Collector()
        return (try await Depot(answers) { $0.logger = collector }, collector)
    }

    @Test func hearsOfASplitTransaction() async throws {
        let (depot, log) = try await logged([
            "Orders": #"{"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}]}"#
        ])
        for id in 1...2 {
            var order = try #require(
                try await depot.provider.executeQuery("Orders(\(id))").first
            )
            order["Title"] = "SECRET"
            let options = OfflineODataRequestOptions()
            options.transactionID = "t"
            try await depot.provider.updateEntity(order, options: options)
        }
        try await depot.provider.upload()
        try await depot.provider.splitTransaction(of: 2)
        let split = log.record("transaction.split")
        #expect(split?.level == .info)
        #expect(split?["request"] == .integer(2))
        #expect(split?["requests"] == .integer(2))
        await #expect(throws: OfflineODataError.self) {
            try await depot.provider.splitTransaction(of: 99)
        }
        #expect(log.record("transaction.split.failed")?["request"] == .integer(99))
        #expect(!log.text.contains("SECRET"))
    }

    /// What the service refuses for its values is in no conflict with anything.
    @Test(arguments: [(400, false), (409, true)])
    func hearsOfConflictsOnly(_ status: Int, _ isConflict: Bool) async throws {
        let (depot, log) = try await logged()
        depot.service.set("POST Orders", HTTPResponse(status: status))
        let theirs = RecordedService.json(#"{"ID":5,"Title":"theirs"}"#)
        depot.service.set("GET Orders(5)", isConflict ? theirs : HTTPResponse(status: 404))
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        try await depot.provider.upload()
        #expect((log.record("conflict") != nil) == isConflict)
    }

    @Test func hearsOfAnEntityWhoseKeyAPersonTells() async throws {
        let (depot, log) = try await logged()
        depot.service.set("POST Orders", Depot.silent)
        depot.service.set("GET Orders(5)", HTTPResponse(status: 404))
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        await depot.send("PATCH", "Orders(5)", #"{"Title":"SECRET"}"#)
        try await depot.provider.upload()
        try await depot.provider.identifyEntity("Orders(5)", as: Depot.root + "Orders(77)")
        #expect(log.record("entity.identified")?.level == .info)
        await #expect(throws: OfflineODataError.self) {
            try await depot.provider.identifyEntity("Orders(6)", as: Depot.root + "Orders(78)")
        }
        #expect(log.record("entity.identified.failed")?.level == .error)
        #expect(!log.text.contains("SECRET"))
    }

    @Test(arguments: [
        (OfflineODataConflictSide.local, "local"), (.server, "server"),
        (.merge(body: #"{"Title":"SECRET"}"#), "merge"),
    ])
    func hearsOfAConflictThatIsResolved(_ side: OfflineODataConflictSide, _ name: String)
        async throws
    {
        let (depot, log) = try await logged([
            "Orders": #"{"value":[{"@odata.etag":"W/\"1\"","ID":1,"Title":"a"}]}"#
        ])
        await depot.send("PATCH", "Orders(1)", #"{"Title":"SECRET mine"}"#)
        depot.service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"W/\"2\"","ID":1,"Title":"SECRET theirs"}]}"#
            )
        )
        try await depot.provider.download()
        try await depot.provider.resolveConflict("Orders(1)", with: side)
        let resolved = log.record("conflict.resolved")
        #expect(resolved?.level == .info)
        #expect(resolved?["side"] == .text(name))
        #expect(!log.text.contains("SECRET"))
    }

    @Test func hearsOfAnImportedStream() async throws {
        let collector = Collector()
        let photos = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.String" Nullable="false"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="S.Photo"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let service = try RecordedService(metadata: photos)
        service.set(
            "GET Photos",
            RecordedService.json(#"{"value":[{"ID":"SECRET"}]}"#)
        )
        let provider = try await service.opened(["Photos"]) { $0.logger = collector }
        try await provider.importStream(
            "Photos('SECRET')/$value",
            content: AsyncStream<[UInt8]> { stream in
                stream.yield([1, 2, 3])
                stream.finish()
            },
            contentType: "image/png"
        )
        let imported = collector.record("import.stream")
        #expect(imported?.level == .info)
        #expect(imported?["set"] == .text("Photos"))
        #expect(!collector.text.contains("SECRET"))
    }
}
