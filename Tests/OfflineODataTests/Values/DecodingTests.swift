import OfflineOData
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct DecodingTests {
    private struct Part: Decodable, Equatable {
        let number: String
        let name: String
        let price: Decimal
        let stock: Int
        let weight: Double?

        private enum CodingKeys: String, CodingKey {
            case number = "Number"
            case name = "Name"
            case price = "UnitPrice"
            case stock = "InStock"
            case weight = "Weight"
        }
    }

    private struct Event: Decodable, Equatable {
        struct Place: Decodable, Equatable { let city: String? }
        let id: UUID
        let at: Date
        let day: Date
        let data: Data
        let tags: [String]
        let place: Place?
        let isOpen: Bool
        let ratio: Double
        let small: UInt8
    }

    @Test func readsEntitiesOfTheStore() async throws {
        let store = try await SmallStore()
        let parts = try await store.provider.executeQuery(
            "Parts?$orderby=Number&$top=1",
            as: Part.self
        )
        #expect(parts == [Part(number: "P1", name: "Part", price: 1, stock: 5, weight: nil)])
    }

    @Test func readsEveryKindOfValue() throws {
        let event = EntityValue(
            entitySet: "Events",
            [
                "id": "01234567-89ab-cdef-0123-456789abcdef", "at": "1970-01-01T01:00:00.5+01:00",
                "day": "1970-01-02",
                "data": "AQID", "tags": .collection(["a", "b"]),
                "place": .object([("city", .null)]), "isOpen": true,
                "ratio": .string("INF"), "small": 255,
            ]
        )
        let decoded = try event.decode(Event.self)
        #expect(
            decoded
                == Event(
                    id: UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") ?? UUID(),
                    at: Date(timeIntervalSince1970: 0.5),
                    day: Date(timeIntervalSince1970: 86_400),
                    data: Data([1, 2, 3]),
                    tags: ["a", "b"],
                    place: Event.Place(city: nil),
                    isOpen: true,
                    ratio: .infinity,
                    small: 255
                )
        )
    }

    private struct Shift: Codable, Equatable {
        var id: String
        var start: Duration?

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case start = "Start"
        }
    }

    /// A time of day of versions 1 to 3 is written as a duration, and kept as a time.
    @Test(arguments: [("PT1H2M3S", 3_723), ("PT0S", 0), ("PT23H59M59S", 86_399)])
    func readsAndWritesTimesOfOldVersions(_ text: String, _ seconds: Int64) async throws {
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
                <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
                <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
                <EntityType Name="Shift"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.String" Nullable="false"/><Property Name="Start" Type="Edm.Time"/></EntityType>
                <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Shifts" EntityType="N.Shift"/>
                </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        service.set(
            "GET Shifts",
            RecordedService.json("{\"d\":{\"results\":[{\"ID\":\"a\",\"Start\":\"\(text)\"}]}}")
        )
        let provider = try await service.opened(["Shifts"])
        let read = try await provider.executeQuery("Shifts", as: Shift.self)
        #expect(read == [Shift(id: "a", start: .seconds(seconds))])
        let copy = Shift(id: "b", start: .seconds(seconds))
        try await provider.createEntity(EntityValue(entitySet: "Shifts", encoding: copy))
        #expect(try await provider.executeQuery("Shifts('b')", as: Shift.self) == [copy])
    }

    private struct Loose: Codable, Equatable {
        var value: ODataValue?
    }

    /// A value of any type is what it is: a number is no text.
    @Test(
        arguments: [
            .double(1.5), .number("12345678901234567890"), .number("1.50"), .integer(7),
            .string("1.5"),
            .boolean(true), .collection([.double(2.25), .null]), .object([("a", .double(1.5))]),
        ] as [ODataValue]
    )
    func keepsValuesOfAnyType(_ value: ODataValue) throws {
        let entity = EntityValue(entitySet: "Things", ["value": value])
        #expect(try entity.decode(Loose.self).value == value)
    }

    @Test(arguments: ["InStock", "Name", "Number"])
    func refusesValuesThatDoNotFit(name: String) throws {
        var part = EntityValue(
            entitySet: "Parts",
            ["Number": "P", "Name": "N", "UnitPrice": 1, "InStock": 1]
        )
        part[name] = name == "InStock" ? .number("1e30") : .null
        #expect(throws: DecodingError.self) { try part.decode(Part.self) }
    }

    @Test func findsValuesByPlace() throws {
        let part = EntityValue(entitySet: "Parts", ["Number": "P", "Name": "N"])
        let place = try #require(part.index(of: "Name"))
        #expect(part[place].stringValue == "N")
        #expect(part.index(of: "Nothing") == nil)
    }
}
