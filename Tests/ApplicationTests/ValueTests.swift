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
    }

    /// What is set by a literal is what is read.
    @Test(
        arguments: [
            (0.5, .number("0.5")), (19.9, .number("19.90")), (1.0, 1), (1, .number("1.0")),
            (.double(1e22), .number("1e22")), (.double(.nan), "NaN"), (.double(-.infinity), "-INF"),
            (-0.0, 0), (.number("1e400"), .number("10e399")),
        ] as [(ODataValue, ODataValue)]
    )
    func comparesNumbersByWhatTheyAre(_ left: ODataValue, _ right: ODataValue) {
        #expect(left == right && right == left)
        #expect(Set([left, right]).count == 1)
    }

    @Test(
        arguments: [
            (0.1, .number("0.1000000000000000055511151231257827")), (1, true), (1, "1"),
            (.number("01"), 1), (.number("1e99999999999999999999"), 1), (0, nil),
            (.string("0.5"), 0.5),
        ] as [(ODataValue, ODataValue)]
    )
    func tellsOtherValuesApart(_ left: ODataValue, _ right: ODataValue) {
        #expect(left != right && right != left)
    }

    @Test func readsNumbersAsTheyWereSet() async throws {
        let shop = try await ShopStore()
        try await shop.provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 7, "Price": 19.9])
        )
        let item = try #require(try await shop.provider.executeQuery("Items(7)").first)
        #expect(item["Price"] == 19.9 && item["ID"] == 7.0)
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

    private struct Page: Codable, Equatable { var url: URL; var size: UInt64 }

    @Test func decodesAddressesAndLargeNumbers() throws {
        let page = Page(url: try #require(URL(string: "http://x/y")), size: .max)
        let entity = try EntityValue(entitySet: "Items", encoding: page)
        #expect(try entity.decode(Page.self) == page)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func makesNoTimeOfWhatIsNone(_ seconds: Double) {
        let value = ODataValue(Date(timeIntervalSince1970: seconds))
        #expect(value.stringValue?.hasSuffix(" seconds") == true)
        #expect(value.dateValue == nil)
    }

    @Test(arguments: [
        (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
        (-0.001, "2000-12-31T23:59:59.999Z"), (-86_399.999, "2000-12-31T00:00:00.001Z"),
        (800_000_000.123, "2026-05-09T06:13:20.123Z"),
        (800_000_000.001, "2026-05-09T06:13:20.001Z"),
        (800_000_000.999, "2026-05-09T06:13:20.999Z"),
        (-978_307_200.5, "1969-12-31T23:59:59.5Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
        (252_423_993_599.5, "9999-12-31T23:59:59.5Z"),
    ])
    func writesDatesWithTheFewestDigits(_ seconds: Double, _ text: String) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(ODataValue(date) == .string(text))
        #expect(ODataValue.string(text).dateValue == date)
    }

    @Test func roundTripsAnyDate() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            // Nearer to 2001 a `Date` holds more digits than OData writes.
            let distance = Double.random(in: 1e4...3e9, using: &random)
            let seconds = Bool.random(using: &random) ? distance : -distance
            for date in [seconds, (seconds * 1_000).rounded() / 1_000].map(
                Date.init(timeIntervalSinceReferenceDate:)
            ) {
                let text = ODataValue(date).stringValue ?? ""
                #expect(ODataValue(date).dateValue == date, "\(text)")
            }
        }
    }

    /// From 2018 on, 100 ns are less than the step of a `Date`: no more than seven digits are needed.
    @Test func writesMillisecondsOfTodayWithThreeDigits() {
        for milliseconds in 0..<1_000 {
            let date = Date(timeIntervalSinceReferenceDate: 8e8 + Double(milliseconds) / 1_000)
            #expect((ODataValue(date).stringValue ?? "").count <= 24)
        }
        for step in 0..<1_000 {
            let date = Date(timeIntervalSinceReferenceDate: 8e8 + Double(step) * 8e8.ulp)
            #expect((ODataValue(date).stringValue ?? "").count <= 28)
        }
    }

    @Test func readsTheNearestDateOfATextOfManyDigits() {
        let date = ODataValue.string("2001-01-01T00:00:01.123456789012Z").dateValue
        #expect(date == Date(timeIntervalSinceReferenceDate: 1.123456789012))
        #expect(
            ODataValue.string("2026-02-03").dateValue.map { ODataValue($0) }
                == "2026-02-03T00:00:00Z"
        )
    }

    @Test(arguments: [(0, "20Z"), (3, "20.123Z"), (7, "20.1234567Z"), (12, "20.1234567Z")])
    func writesNoMoreDigitsThanWanted(_ digits: Int, _ end: String) throws {
        let date = try #require(ODataValue.string("2026-05-09T06:13:20.1234567Z").dateValue)
        let value = ODataValue(date, fractionDigits: digits)
        #expect(value == .string("2026-05-09T06:13:" + end))
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
