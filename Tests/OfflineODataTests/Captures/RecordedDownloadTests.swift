import OfflineOData
import TestSupport
import Testing

/// Real services' pages, read by the whole engine: what they hold is in the store afterwards, and nothing else was asked.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absence)))
struct RecordedDownloadTests {
    private func count(_ provider: OfflineODataProvider, _ set: String) async throws -> Int {
        try await provider.executeQuery(set).count
    }

    @Test func opensFromPyslet() async throws {
        let service = try RecordedService(
            "pyslet",
            root: RecordedService.pysletRoot,
            [
                "GET Categories?$inlinecount=allpages": "06_collection",
                "GET Products": "07_page1", "GET Products?$skiptoken=20L": "08_page2",
                "GET Products?$top=3&$expand=Category": "09_expand",
            ]
        )
        service.set("GET Products?$skiptoken=40L", RecordedService.json(#"{"d":{"results":[]}}"#))
        let provider = try await service.opened([
            "Categories?$inlinecount=allpages", "Products",
            "Products?$top=3&$expand=Category",
        ]
        )
        #expect(try await count(provider, "Categories") == 8)
        #expect(try await count(provider, "Products") == 40)
        let chai = try #require(try await provider.executeQuery("Products(1)").first)
        #expect(chai["Big"]?.integerValue == 9_007_199_254_740_993)
        let category = try await provider.executeQuery("Products(1)/Category").first
        #expect(category?["ID"]?.integerValue == 6)
        #expect(
            service.requests == [
                "GET $metadata", "GET Categories?$inlinecount=allpages", "GET Products",
                "GET Products?$skiptoken=20L", "GET Products?$skiptoken=40L",
                "GET Products?$top=3&$expand=Category",
            ]
        )
    }

    @Test func opensFromOlingo2() async throws {
        let service = try RecordedService(
            "olingo2-ref",
            root: RecordedService.olingo2Root,
            [
                "GET Buildings?$inlinecount=allpages": "06_collection",
                "GET Rooms": "07_page1", "GET Rooms?$skiptoken=97": "08_page2",
                "GET Employees?$expand=ne_Room,ne_Team": "09_employees",
            ]
        )
        let provider = try await service.opened([
            "Buildings?$inlinecount=allpages", "Rooms", "Employees?$expand=ne_Room,ne_Team",
        ]
        )
        #expect(try await count(provider, "Buildings") == 3)
        #expect(try await count(provider, "Rooms") >= 100)
        #expect(try await !provider.executeQuery("Employees('1')/ne_Room").isEmpty)
        #expect(
            try await provider.executeQuery("Rooms('1')").first?["Name"]?.stringValue == "Room 1"
        )
    }

    private static let olingo4Sets: [(query: String, file: String, set: String, count: Int)] = [
        ("ESTwoPrim?$count=true", "03_collection", "ESTwoPrim", 4),
        ("ESAllPrim", "06_ESAllPrim", "ESAllPrim", 4),
        ("ESCompAllPrim", "07_ESCompAllPrim", "ESCompAllPrim", 4),
        ("ESMixPrimCollComp", "08_ESMixPrimCollComp", "ESMixPrimCollComp", 3),
        ("ESMedia", "09_ESMedia", "ESMedia", 4),
        ("ESKeyNav?$expand=NavPropertyETTwoKeyNavMany", "10_ESKeyNav", "ESKeyNav", 3),
        ("ESBase", "11_ESBase", "ESBase", 3),
        ("ESMixEnumDefCollComp", "12_ESMixEnumDefCollComp", "ESMixEnumDefCollComp", 3),
        ("ESTwoBase?$top=1", "14_ESTwoBase", "ESTwoBase", 1),
    ]

    @Test(arguments: olingo4Sets)
    func opensFromOlingo4(query: String, file: String, set: String, count: Int) async throws {
        let service = try RecordedService(
            "olingo4-tecsvc",
            root: RecordedService.olingo4Root,
            ["GET " + query: file]
        )
        let provider = try await service.opened([query])
        #expect(try await self.count(provider, set) == count)
    }

    @Test func followsADeltaLinkOfOlingo4() async throws {
        let service = try RecordedService(
            "olingo4-tecsvc",
            root: RecordedService.olingo4Root,
            [
                "GET ESDelta": "20_delta-initial",
                "GET ESDelta?%24deltatoken=%2A2026": "33_delta-after-changes",
            ]
        )
        let provider = try await service.opened(["ESDelta"])
        #expect(try await count(provider, "ESDelta") == 5)
        try await provider.download()
        let keys = try await provider.executeQuery("ESDelta?$orderby=PropertyInt16")
            .map { $0["PropertyInt16"]?.integerValue }
        // Both others were removed in the same payload: one left the result, one was deleted.
        #expect(keys == [-1, 0, 100])
        #expect(service.requests.last == "GET ESDelta?%24deltatoken=%2A2026")
    }

    @Test func opensFromLodata() async throws {
        let service = try RecordedService(
            "lodata",
            root: RecordedService.lodataRoot,
            [
                "GET Categories?$count=true": "03_collection",
                "GET Products": "04_page1", "GET Products?top=20&skip=20": "05_page2",
                "GET Products?$top=3&$expand=Category,Items": "06_expand",
            ]
        )
        let rest = "GET Products?%24expand=Category%2CItems&top=3&skip=3"
        service.set(rest, RecordedService.json(#"{"value":[]}"#))
        service.set("GET Products?top=20&skip=40", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened([
            "Categories?$count=true", "Products", "Products?$top=3&$expand=Category,Items",
        ]
        )
        #expect(try await count(provider, "Categories") == 8)
        #expect(try await count(provider, "Products") == 40)
    }
}
