import OfflineOData
import Testing

/// Values as applications calculate with them.
@Suite struct ValueTests {
    struct Item: Codable, Equatable, Sendable {
        var ID: Int
        var Name: String?
        var Price: Decimal?
    }

    @Test func takesAndGivesTypesOfTheApplication() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        let item = Item(ID: 20, Name: "Rug", Price: Decimal(string: "123456789012.34"))
        let created = try await provider.create(item, in: "Items")
        #expect(try created.decode(Item.self) == item)
        try await provider.update(created, with: ["Name": "Carpet"])
        #expect(try await provider.executeQuery("Items(20)", as: Item.self).first?.Name == "Carpet")
    }

    @Test func comparesAndHashes() {
        let left: ODataValue = ["a": 1, "b": ["x", true, nil]]
        let right: ODataValue = ["b": ["x", true, nil], "a": 1]
        #expect(left == right)
        #expect(Set([left, right]).count == 1)
        #expect(ODataValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(ODataValue.integer(1) != .number("1.0"))
    }

    @Test(arguments: [
        Duration.zero, .seconds(90_061), .milliseconds(-1), .nanoseconds(1), .seconds(-86_400),
    ])
    func roundTripsDurations(_ duration: Duration) {
        #expect(ODataValue(duration).durationValue == duration)
    }

    @Test(arguments: [("P1DT2H", 93_600), ("-PT1M", -60), ("PT0.5S", 0), ("P2D", 172_800)])
    func readsDurations(_ text: String, _ seconds: Int64) {
        #expect(ODataValue.string(text).durationValue?.components.seconds == seconds)
    }

    @Test(arguments: ["", "P", "PT", "1D", "P1H", "PT1D", "PT.5S", "P1", "PT99999999999999999999S"])
    func refusesWhatIsNoDuration(_ text: String) {
        #expect(ODataValue.string(text).durationValue == nil)
    }

    /// What an application caches is what it had.
    @Test(
        arguments: [
            .double(2), .double(-0.0), .double(0.1), .double(1e22), .double(1e300),
            .double(.infinity),
            .number("1.50"), .number("1.5"), .number("12345678901234567890.5"), .number("1e5"),
            .number("100000000000000000000000000000000000000000"), .integer(5), .string("1.50"),
            .null,
            ["a": [.double(3), .number("2.0")]],
        ] as [ODataValue]
    )
    func roundTripsThroughACoder(_ value: ODataValue) throws {
        let bytes = try JSONEncoder().encode([value])
        let back = try JSONDecoder().decode([ODataValue].self, from: bytes)
        #expect(back == [value], "\(String(decoding: bytes, as: UTF8.self))")
        if case .double(let read)? = back.first, case .double(let given) = value {
            #expect(read.sign == given.sign)
        }
    }

    /// A text that somebody has typed is a value, and nothing else of the body.
    @Test(
        arguments: [
            ("1", "1"), ("-0.50", "-0.50"), ("1e+5", "1e+5"), ("01", #""01""#), ("1.", #""1.""#),
            (".5", #"".5""#), ("", #""""#), ("-", #""-""#), ("1e", #""1e""#), ("+1", #""+1""#),
            ("1,\"Flag\":false", #""1,\"Flag\":false""#), ("1], [2", #""1], [2""#),
            ("1 ", #""1 ""#),
        ]
    )
    func writesNumbersOnlyAsNumbers(_ text: String, _ json: String) {
        #expect(ODataValue.number(text).json == json)
    }

    private struct Span: Codable, Equatable { var span: Duration; var none: Duration? }

    @Test func decodesDurations() throws {
        let span = Span(span: .milliseconds(-1_500), none: nil)
        let entity = try EntityValue(entitySet: "Items", encoding: span)
        #expect(entity["span"] == "-PT1.5S")
        #expect(try entity.decode(Span.self) == span)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func makesNoTimeOfWhatIsNone(_ seconds: Double) {
        let value = ODataValue(Date(timeIntervalSince1970: seconds))
        #expect(value.stringValue?.hasSuffix(" seconds") == true)
        #expect(value.dateValue == nil)
    }

    @Test func roundTripsFoundationTypes() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        #expect(ODataValue(date).dateValue == date)
        let uuid = UUID()
        #expect(ODataValue(uuid).uuidValue == uuid)
        let decimal = try #require(Decimal(string: "-12345678901234567890.123456789"))
        #expect(ODataValue(decimal).decimalValue == decimal)
        let data = Data([0, 1, 254, 255])
        #expect(ODataValue(data).dataValue == data)
    }

    @Test func entitiesKeepTheirIdentityAndTheirMembers() {
        let entity = EntityValue(entitySet: "Items", ["ID": 1])
        let copy = entity
        #expect(copy.id == entity.id)
        #expect(EntityValue(entitySet: "Items", ["ID": 1]).id != entity.id)
        #expect(EntityValue(entitySet: "Items", ["ID": 1]) == entity)
    }
}
