import OfflineOData
import ODataHTTP
import OfflineStore
import TestSupport
import Testing

/// Real services' answers to changes, applied by the whole engine as the requests meant.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absence)))
struct RecordedUploadTests {
    /// One service: what it answers to a create, an update and a delete of one entity.
    struct Case: Sendable, CustomTestStringConvertible {
        var folder: String
        var root: String
        var set: String
        var link: String
        /// Files of the answers to create, update, wrong ETag, delete; method of updates.
        var create: String
        var update: String
        var delete: String
        var method: String
        var values: KeyValuePairs<String, ODataValue>
        var change: KeyValuePairs<String, ODataValue>
        var updateStatus: Int?

        var testDescription: String { folder }
    }

    static let cases = [
        Case(
            folder: "pyslet",
            root: RecordedService.pysletRoot,
            set: "Categories",
            link: "Categories(951)",
            create: "16_create",
            update: "20_update",
            delete: "27_delete",
            method: "MERGE",
            values: ["ID": 951, "Name": "smoke"],
            change: ["Name": "patched"],
            updateStatus: 500
        ),
        Case(
            folder: "olingo2-ref",
            root: RecordedService.olingo2Root,
            set: "Buildings",
            link: "Buildings('4')",
            create: "14_create",
            update: "18_update",
            delete: "25_delete",
            method: "MERGE",
            values: ["Name": "smoke"],
            change: ["Name": "p"]
        ),
        Case(
            folder: "olingo4-tecsvc",
            root: RecordedService.olingo4Root,
            set: "ESTwoPrim",
            link: "ESTwoPrim(1)",
            create: "21_create",
            update: "24_update",
            delete: "32_delete",
            method: "PATCH",
            values: ["PropertyString": "smoke"],
            change: ["PropertyString": "p"]
        ),
        Case(
            folder: "lodata",
            root: RecordedService.lodataRoot,
            set: "Categories",
            link: "Categories(951)",
            create: "13_create",
            update: "16_update",
            delete: "24_delete",
            method: "PATCH",
            values: ["ID": 951, "Name": "smoke"],
            change: ["Name": "patched"]
        ),
    ]

    /// Creates the case's entity here and at the service.
    private func created(_ item: Case) async throws
        -> (RecordedService, OfflineODataProvider, EntityValue)
    {
        let service = try RecordedService(
            item.folder,
            root: item.root,
            [
                "POST \(item.set)": item.create, "\(item.method) \(item.link)": item.update,
                "DELETE \(item.link)": item.delete,
            ]
        )
        let isOld = item.method == "MERGE"
        service.set(
            "GET \(item.set)",
            RecordedService.json(isOld ? #"{"d":{"results":[]}}"# : #"{"value":[]}"#)
        )
        let provider = try await service.opened([item.set])
        let entity = try await provider.createEntity(
            EntityValue(entitySet: item.set, item.values)
        )
        try await provider.upload()
        return (service, provider, entity)
    }

    @Test(arguments: cases)
    func takesOverTheKeyOfACreate(_ item: Case) async throws {
        let (service, provider, _) = try await created(item)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await provider.executeQuery(item.link).count == 1)
        #expect(Array(service.requests.suffix(2)) == ["POST $batch", "POST \(item.set)"])
    }

    @Test(arguments: cases)
    func sendsUpdateAndDelete(_ item: Case) async throws {
        let (service, provider, _) = try await created(item)
        var entity = try #require(try await provider.executeQuery(item.link).first)
        for (name, value) in item.change { entity[name] = value }
        try await provider.updateEntity(entity)
        try await provider.upload()
        #expect(service.requests.last == "\(item.method) \(item.link)")
        let refused = try await provider.errorArchive()
        #expect(refused.map(\.failure?.httpStatus) == (item.updateStatus.map { [$0] } ?? []))
        try await provider.deleteEntity(entity)
        try await provider.upload()
        #expect(service.requests.last == "DELETE \(item.link)")
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await provider.executeQuery(item.set).isEmpty)
    }

    @Test(arguments: [
        (cases[0], "18_create-duplicate", 403), (cases[3], "14_create-duplicate", 500),
    ])
    func archivesADuplicate(_ item: Case, file: String, status: Int) async throws {
        var item = item
        item.create = file
        let (_, provider, _) = try await created(item)
        let refused = try await provider.errorArchive()
        #expect(refused.map(\.failure?.httpStatus) == [status])
        #expect(refused.first?.failure?.message.isEmpty == false)
    }

    @Test func showsTheServersVersionAfterAFailedPrecondition() async throws {
        let (service, provider, _) = try await created(Self.cases[3])
        try service.set("PATCH Categories(951)", file: "17_update-wrong-etag")
        try service.set("GET Categories(951)", file: "15_read-created")
        var entity = try #require(try await provider.executeQuery("Categories(951)").first)
        entity["Name"] = "mine"
        try await provider.updateEntity(entity)
        try await provider.upload()
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
        let conflict = try await provider.versions(of: "Categories(951)")
        #expect(conflict.server?.contains("smoke") == true)
        #expect(conflict.local?.contains("mine") == true)
    }

    @Test(arguments: [
        (cases[0], "22_update-missing", 404), (cases[2], "26_update-missing", 201),
        (cases[3], "18_update-missing", 404),
    ])
    func takesAnUpdateOfWhatIsGoneForAConflict(_ item: Case, file: String, status: Int) async throws
    {
        let (service, provider, _) = try await created(item)
        try service.set("\(item.method) \(item.link)", file: file)
        var entity = try #require(try await provider.executeQuery(item.link).first)
        for (name, value) in item.change { entity[name] = value }
        try await provider.updateEntity(entity)
        try await provider.upload()
        let refused = try await provider.errorArchive()
        #expect(refused.map(\.failure?.httpStatus) == [status])
        #expect(refused.first?.failure?.message.contains("deleted the entity") == true)
        let there = try #require(try await provider.executeQuery(item.link).first)
        #expect(there["@sap.hasConflict"]?.booleanValue == true)
    }

    // MARK: Batches

    /// A store with an entity to delete, a transaction of a create and that delete, and a create by itself.
    private func withBatch(
        _ service: RecordedService,
        _ set: String,
        _ doomed: String,
        _ values: [KeyValuePairs<String, ODataValue>]
    ) async throws -> OfflineODataProvider {
        let provider = try await service.opened([set])
        let options = OfflineODataRequestOptions()
        options.transactionID = "t"
        try await provider.createEntity(
            EntityValue(entitySet: set, values[0]),
            options: options
        )
        let entity = try #require(try await provider.executeQuery(doomed).first)
        let others = OfflineODataRequestOptions()
        others.transactionID = "t"
        try await provider.deleteEntity(entity, options: others)
        try await provider.createEntity(EntityValue(entitySet: set, values[1]))
        return provider
    }

    @Test func readsAChangeSetOfOlingo2ThatFailedAsAWhole() async throws {
        let service = try RecordedService(
            "olingo2-ref",
            root: RecordedService.olingo2Root,
            ["GET Buildings": "06_collection"]
        )
        var answer = try RecordedService.batchAnswer("olingo2-ref", "24_batch")
        // The recorded request named the create by itself 1; here it is the third.
        let text = String(decoding: answer.body, as: UTF8.self)
        answer.body = Array(text.replacing("Content-Id: 1", with: "Content-Id: 3").utf8)
        service.set("POST $batch", answer)
        let provider = try await withBatch(
            service,
            "Buildings",
            "Buildings('1')",
            [["Name": "smokeb1"], ["Name": "smokeb2"]]
        )
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(result.failedCount == 2)
        #expect(try await provider.executeQuery("Buildings('9')").count == 1)
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [400, 400])
        let sent = try #require(service.bodies(of: "POST $batch").first)
        #expect(
            sent.matches(of: /\r\nContent-Type: multipart\/mixed/).count == 1
                || sent.contains("changeset")
        )
    }

    @Test func keepsWhatOlingo4DidNotLookAt() async throws {
        let service = try RecordedService("olingo4-tecsvc", root: RecordedService.olingo4Root, [:])
        let page = #"{"value":[{"PropertyInt16":77,"PropertyString":"old"}]}"#
        service.set("GET ESTwoPrim", RecordedService.json(page))
        let rest = """
            --r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\n\
            Location: ESTwoPrim(5)\r\nContent-Type: application/json\r\n\r\n\
            {"PropertyInt16":5,"PropertyString":"smokeb2"}\r\n--r--
            """
        service.set(
            "POST $batch",
            try RecordedService.batchAnswer("olingo4-tecsvc", "30_batch"),
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(rest.utf8)
            )
        )
        let provider = try await withBatch(
            service,
            "ESTwoPrim",
            "ESTwoPrim(77)",
            [["PropertyString": "smokeb1"], ["PropertyString": "smokeb2"]]
        )
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(result.failedCount == 2)
        #expect(try await provider.executeQuery("ESTwoPrim(5)").count == 1)
        let batches = service.bodies(of: "POST $batch")
        #expect(batches.count == 2)
        #expect(batches.last?.contains("smokeb1") == false)
        #expect(batches.last?.contains("smokeb2") == true)
    }

    @Test func readsBackWhatLodataAnswersSideBySide() async throws {
        let service = try RecordedService("lodata", root: RecordedService.lodataRoot, [:])
        let page = #"{"value":[{"ID":987654,"Name":"doomed"}]}"#
        service.set("GET Categories", RecordedService.json(page))
        service.set("POST $batch", try RecordedService.batchAnswer("lodata", "22_batch"))
        service.set("GET Categories(952)", RecordedService.json(#"{"ID":952,"Name":"smokeb1"}"#))
        service.set("GET Categories?$top=1", RecordedService.json(#"{"value":[{"ID":952}]}"#))
        let provider = try await withBatch(
            service,
            "Categories",
            "Categories(987654)",
            [["ID": 952, "Name": "smokeb1"], ["ID": 953, "Name": "smokeb2"]]
        )
        let result = try await provider.upload()
        #expect(result.succeededCount == 3)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.errorArchive().isEmpty)
        #expect(service.requests.last == "GET Categories(952)")
    }
}
