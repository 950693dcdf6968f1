import OfflineOData
import Testing

/// An update sends what has changed, also among values whose text says more than their column.
@Suite struct UnchangedValueTests {
    private static let properties = """
        <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Start" Type="Edm.DateTimeOffset" Precision="7"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        """

    private func opened() async throws -> (OfflineODataProvider, EntityValue) {
        let service = try RecordedService(metadata: ShopModel.v4(Self.properties))
        service.set(
            "GET Items",
            RecordedService.json(
                """
                {"value":[{"ID":1,"Name":"a","Price":12.50,"Start":"2024-01-01T10:00:00+02:00","Tags":["x", "y"],
                "Free":{ "a" : 1.50 }}]}
                """
            )
        )
        let provider = try await service.opened(["Items"])
        return (provider, try #require(try await provider.executeQuery("Items(1)").first))
    }

    private func bodies(_ provider: OfflineODataProvider) async throws -> [String] {
        try await provider.requestQueue().map { $0.body ?? "" }
    }

    @Test func sendsNothingOfAnUnchangedEntity() async throws {
        let (provider, item) = try await opened()
        try await provider.updateEntity(item)
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func sendsAnEmptyUpdateWhereTheApplicationWantsOne() async throws {
        let (provider, item) = try await opened()
        let options = OfflineODataRequestOptions()
        options.sendEmptyUpdate = true
        try await provider.updateEntity(item, options: options)
        #expect(try await bodies(provider) == ["{}"])
    }

    @Test func sendsOnlyWhatHasChanged() async throws {
        var (provider, item) = try await opened()
        item["Name"] = "b"
        try await provider.updateEntity(item)
        #expect(try await bodies(provider) == [#"{"Name":"b"}"#])
    }

    /// The same price, and the same instant, written in the shortest way.
    @Test func equalValuesAreUnchanged() async throws {
        var (provider, item) = try await opened()
        item["Price"] = .number("12.5")
        item["Start"] = "2024-01-01T08:00:00Z"
        try await provider.updateEntity(item)
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test(arguments: [
        ("Price", ODataValue.number("12.51"), #"{"Price":12.51}"#),
        ("Price", .number("12.500"), #"{"Price":12.500}"#),
        ("Start", "2024-01-01T10:00:00+03:00", #"{"Start":"2024-01-01T10:00:00+03:00"}"#),
        ("Start", "2024-01-01T09:00:00+01:00", #"{"Start":"2024-01-01T09:00:00+01:00"}"#),
        ("Tags", .collection(["x"]), #"{"Tags":["x"]}"#),
    ])
    func sendsAnotherValue(_ name: String, _ value: ODataValue, _ body: String) async throws {
        var (provider, item) = try await opened()
        item[name] = value
        try await provider.updateEntity(item)
        #expect(try await bodies(provider) == [body])
    }
}
