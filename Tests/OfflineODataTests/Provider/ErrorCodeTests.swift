import Foundation
import OfflineOData
import Testing

/// What an error is, as an application tells it: its own settings and requests are no failure of the network or of the store's file.
@Suite struct ErrorCodeTests {
    private func service() throws -> RecordedService {
        let metadata = ShopModel.v4("<Property Name=\"Price\" Type=\"Edm.Decimal\" Scale=\"2\"/>")
        let service = try RecordedService(metadata: metadata)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        return service
    }

    @Test func namesADivisionByZero() async throws {
        let provider = try await service().opened(["Orders"])
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.executeQuery("Orders?$filter=ID div 0 eq 1")
        }
        #expect(error?.category == .invalidInput)
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "a number cannot be divided by zero")
    }

    @Test(arguments: ["", "../up", "a/b", "a\0b"])
    func refusesANameThatIsNoFile(_ name: String) throws {
        let parameters = OfflineODataParameters()
        parameters.storeName = name
        let error = #expect(throws: OfflineODataError.self) {
            try OfflineODataProvider(serviceRoot: "http://localhost/", parameters: parameters)
        }
        #expect(error?.code == .invalidArgument)
    }

    /// A form marks the field that a value stands in.
    @Test(
        arguments: [
            (["ID": 2_147_483_648], "ID"), (["ID": 5, "Price": 1.234], "Price"),
            (["ID": 5, "Nothing": 1], "Nothing"), (["ID": 5, "Tags": "a"], "Tags"),
            (["ID": 5, "Tags": ["a", "abc"]], "Tags[1]"), (["ID": 5, "Name": true], "Name"),
        ] as [(KeyValuePairs<String, ODataValue>, String)]
    )
    func namesThePropertyOfARefusedValue(
        _ members: KeyValuePairs<String, ODataValue>,
        _ path: String
    ) async throws {
        let metadata = ShopModel.v4(
            """
            <Property Name="Price" Type="Edm.Decimal" Scale="2"/>
            <Property Name="Tags" Type="Collection(Edm.String)" MaxLength="2" Nullable="false"/>
            """
        )
        let service = try RecordedService(metadata: metadata)
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Items"])
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.createEntity(EntityValue(entitySet: "Items", members))
        }
        #expect(error?.place == OfflineODataError.Place(path: path), "\(error?.message ?? "")")
        #expect(error?.code == .invalidValue)
    }

    @Test func namesThePropertyOfARefusedMemberOfAnInlineEntity() async throws {
        let provider = try await service().opened(["Orders"])
        let items: ODataValue = [["ID": 1], ["ID": "x"]]
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.createEntity(
                EntityValue(entitySet: "Orders", ["ID": 9, "Items": items])
            )
        }
        #expect(error?.place?.path == "Items[1]/ID")
    }

    @Test func describesItselfToUsers() {
        let error: any Error = OfflineODataError(.notFound, "there is no such entity")
        #expect(error.localizedDescription == "there is no such entity")
    }

    @Test(arguments: [
        (CancellationError() as any Error, true), (OfflineODataError(.cancelled, ""), true),
        (OfflineODataError(.notFound, ""), false),
    ])
    func tellsACancellationInEitherForm(_ error: any Error, _ isCancellation: Bool) {
        #expect(OfflineODataError.isCancellation(error) == isCancellation)
    }

    @Test func saysThatThereIsNoStore() async throws {
        let error = await #expect(throws: OfflineODataError.self) {
            try await OfflineODataProvider.make(storeFile: "/nowhere/a.sqlite")
        }
        #expect(error?.code == .noStore)
        #expect(error?.message == "there is no store at /nowhere/a.sqlite")
    }

    @Test func namesWhatIsWrongWithACall() async throws {
        let provider = try await service().opened(["Orders"])
        let pages = await #expect(throws: OfflineODataError.self) {
            try await provider.exportData(inPagesOf: 0) { (_: OfflineODataDataPiece) in }
        }
        #expect(pages?.code == .invalidArgument)
        let other = await #expect(throws: OfflineODataError.self) {
            let query = OfflineODataDefiningQuery(name: "Q0", query: "Items")
            try await provider.addDefiningQuery(query)
        }
        #expect(other?.code == .invalidArgument)
    }

    @Test func namesALimitThatAnAnswerExceeds() async throws {
        let provider = try service().provider { $0.limits.payload.maximumEntities = 1 }
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        let error = await #expect(throws: OfflineODataError.self) { try await provider.open() }
        #expect(error?.category == .server)
        #expect(error?.code == .limitExceeded)
        #expect(error?.place?.line == 1)
        #expect(error?.place?.offset != nil)
    }

    /// No network makes such a request possible: to try again is of no use.
    @Test(arguments: [("X", "line\r\nInjected: 1"), ("Bad Name", "y")])
    func refusesHeaderFieldsThatCannotBeSent(_ name: String, _ value: String) async throws {
        let parameters = OfflineODataParameters()
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "headers-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        parameters.storePath = directory
        parameters.customHeaders = [name: value]
        parameters.retryPolicy = .never
        let provider = try OfflineODataProvider(
            serviceRoot: "http://127.0.0.1:9/",
            parameters: parameters
        )
        let error = await #expect(throws: OfflineODataError.self) { try await provider.open() }
        #expect(error?.category == .invalidInput)
        #expect(error?.message.contains("cannot be sent") == true)
    }

    @Test(arguments: ["NaN", "INF", "-INF"])
    func refusesWhatIsNoNumberInAFixedScale(_ text: String) async throws {
        let provider = try await service().opened(["Orders"])
        let item = EntityValue(entitySet: "Items", ["ID": 1, "Price": .string(text)])
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.createEntity(item)
        }
        #expect(error?.message.contains("Price") == true)
        #expect(try await provider.requestQueueIsEmpty())
    }
}
