import ODataBinding
import OfflineOData
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Updates by values of the application's own types.
@Suite struct CodableUpdateTests {
    private static let properties = """
        <Property Name="Amount" Type="Edm.Decimal" Precision="60" Scale="variable"/>
        <Property Name="Ratio" Type="Edm.Decimal" Precision="60" Scale="variable"/>
        <Property Name="At" Type="Edm.DateTimeOffset" Precision="12"/>
        <Property Name="At3" Type="Edm.DateTimeOffset" Precision="3"/>
        <Property Name="Day" Type="Edm.Date"/>
        <Property Name="Days" Type="Collection(Edm.Date)"/>
        <Property Name="Home" Type="Shop.Place"/>
        </EntityType>
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
        <Property Name="Since" Type="Edm.Date"/><Property Name="Area" Type="Edm.Decimal" Scale="variable"/>
        </ComplexType>
        <EntityType Name="Unused"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        """

    private static let item = """
        {"value":[{"ID":1,"Name":"a","Amount":12345678901234567890123456789012345678901234567890.5,
        "Ratio":0.10000000000000000000000000000000000000001,"At":"2026-01-01T00:00:00.123456789012Z",
        "At3":"2026-05-09T06:13:20.123Z","Day":"2026-02-03","Days":["2026-02-03","2026-02-04"],
        "Home":{"City":"Bern","Since":"2020-01-01","Area":0.100000000000000000000000000000000000000000001}}]}
        """

    private struct Place: Codable {
        var City: String?
        var Since: Date?
        var Area: Decimal?
    }

    private struct Item: Codable {
        var ID: Int
        var Name: String?
        var Amount: Decimal?
        var Ratio: Double?
        var At: Date?
        var At3: Date?
        var Day: Date?
        var Days: [Date]?
        var Home: Place?
    }

    private func opened() async throws -> (OfflineODataProvider, EntityValue) {
        let service = try RecordedService(metadata: ShopModel.v4(Self.properties))
        service.set("GET Items", RecordedService.json(Self.item))
        let provider = try await service.opened(["Items"])
        return (provider, try #require(try await provider.executeQuery("Items(1)").first))
    }

    private func body(_ provider: OfflineODataProvider) async throws -> ODataValue? {
        let bodies = try await provider.requestQueue().map { $0.body ?? "" }
        #expect(bodies.count <= 1)
        return bodies.first.flatMap { ODataValue(json: $0) }
    }

    @Test func sendsNothingOfAnUnchangedValue() async throws {
        let (provider, entity) = try await opened()
        try await provider.update(entity, with: try entity.decode(Item.self))
        #expect(try await body(provider) == nil)
    }

    /// The type says what its properties are, and nothing of how they are read.
    private struct Written: Encodable {
        var Amount: Decimal?
        var At: Date?
        var Day: Date?
        var Name: String?
    }

    @Test func sendsNothingThatIsReadAsTheSame() async throws {
        let (provider, entity) = try await opened()
        let item = try entity.decode(Item.self)
        let written = Written(Amount: item.Amount, At: item.At, Day: item.Day, Name: nil)
        try await provider.update(entity, with: written)
        #expect(try await body(provider) == nil)
    }

    @Test func sendsOneChangeWithoutTheRest() async throws {
        let (provider, entity) = try await opened()
        var item = try entity.decode(Item.self)
        item.Name = "b"
        try await provider.update(entity, with: item)
        #expect(try await body(provider) == ["Name": "b"])
    }

    @Test func setsMembersToNullThatAreNilNow() async throws {
        let (provider, entity) = try await opened()
        var item = try entity.decode(Item.self)
        item.Amount = nil
        item.Day = nil
        try await provider.update(entity, with: item)
        #expect(try await body(provider) == ["Amount": nil, "Day": nil])
        let stored = try #require(try await provider.executeQuery("Items(1)").first)
        #expect(stored["Amount"] == .null && stored["Day"] == .null && stored["Name"] == "a")
    }

    /// What a complex value keeps is not rounded either.
    @Test func setsMembersOfComplexValuesToNull() async throws {
        let (provider, entity) = try await opened()
        var item = try entity.decode(Item.self)
        item.Home?.City = nil
        try await provider.update(entity, with: item)
        let stored = try #require(try await provider.executeQuery("Items(1)").first)
        #expect(
            stored["Home"] == [
                "City": nil, "Since": "2020-01-01",
                "Area": .number("0.100000000000000000000000000000000000000000001"),
            ]
        )
    }

    @Test func leavesOutWhatPartialValuesDoNotSay() async throws {
        let (provider, entity) = try await opened()
        try await provider.update(entity, with: ["Name": "b"])
        #expect(try await body(provider) == ["Name": "b"])
        let written = Written(Amount: nil, At: nil, Day: nil, Name: "c")
        try await provider.update(
            try #require(provider.executeQuery("Items(1)").first),
            with: written
        )
        let values: ODataValue = ["Name": "d"]
        try await provider.update(
            try #require(provider.executeQuery("Items(1)").first),
            with: values
        )
        let stored = try #require(try await provider.executeQuery("Items(1)").first)
        #expect(stored["Day"] == "2026-02-03" && stored["Name"] == "d")
    }

    @Test func writesDaysOfDates() async throws {
        let (provider, entity) = try await opened()
        var item = try entity.decode(Item.self)
        let noon = Date(timeIntervalSince1970: 1_770_000_000)
        (item.Day, item.Days) = (noon, [noon])
        item.Home?.Since = noon
        try await provider.update(entity, with: item)
        let stored = try #require(try await provider.executeQuery("Items(1)").first)
        #expect(stored["Day"] == "2026-02-02" && stored["Days"] == ["2026-02-02"])
        #expect(stored["Home"]?["Since"] == "2026-02-02")
    }

    @Test func createsDaysOfDates() async throws {
        let (provider, entity) = try await opened()
        var item = try entity.decode(Item.self)
        item.ID = 2
        let created = try await provider.create(item, in: "Items")
        #expect(created["Day"] == "2026-02-03" && created["Home"]?["Since"] == "2020-01-01")
    }

    @Test func takesDatesThatAreSetForDays() async throws {
        var (provider, entity) = try await opened()
        let date = Date(timeIntervalSince1970: 1_770_000_000.25)
        entity["Day"] = ODataValue(date)
        try await provider.updateEntity(entity)
        #expect(try await body(provider) == ["Day": "2026-02-02"])
        let new: EntityValue = EntityValue(
            entitySet: "Items",
            ["ID": 5, "Days": [ODataValue(date)], "Home": ["Since": ODataValue(date)]]
        )
        let created = try await provider.createEntity(new)
        #expect(created["Days"] == ["2026-02-02"] && created["Home"]?["Since"] == "2026-02-02")
    }

    @Test func writesNoMoreDigitsThanThePrecision() async throws {
        let (provider, entity) = try await opened()
        var item = try entity.decode(Item.self)
        item.At3 = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456)
        try await provider.update(entity, with: item)
        #expect(try await body(provider) == nil)
        item.At3 = Date(timeIntervalSinceReferenceDate: 800_000_000.987_654)
        try await provider.update(entity, with: item)
        #expect(try await body(provider) == ["At3": "2026-05-09T06:13:20.988Z"])
    }

    @Test func findsTheRowOfADateThatWasRead() async throws {
        let (provider, entity) = try await opened()
        let date = try #require(entity["At3"]?.dateValue)
        let query = ODataQuery("Items").filter(.property("At3") == .value(date))
        #expect(try await provider.executeQuery(query).count == 1)
        let day = try #require(entity["Day"]?.dateValue)
        let onDay = ODataQuery("Items").filter(.property("Day") == .day(day))
        #expect(try await provider.executeQuery(onDay).count == 1)
        #expect(entity.index(of: "At3").flatMap { entity.date(at: $0) } == date)
    }
}
