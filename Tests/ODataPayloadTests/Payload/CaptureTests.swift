import ODataModel
import ODataPayload
import TestSupport
import Testing

/// Answers of real services in other languages.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absence)))
struct CaptureTests {
    /// A recorded answer: folder and file, the set whose entities it has, and how many.
    struct Capture: Sendable, CustomTestStringConvertible {
        var file: String
        var set: String
        var count: Int
        var lines: [String] = []

        var testDescription: String { file }

        init(_ file: String, _ set: String, _ count: Int, has lines: [String] = []) {
            self.file = file
            self.set = set
            self.count = count
            self.lines = lines
        }
    }

    static let captures = [
        Capture("olingo4-tecsvc/03_collection", "ESTwoPrim", 4),
        Capture("olingo4-tecsvc/04_page1", "ESServerSidePaging", 10),
        Capture("olingo4-tecsvc/05_page2", "ESServerSidePaging", 10),
        Capture("olingo4-tecsvc/06_ESAllPrim", "ESAllPrim", 4),
        Capture("olingo4-tecsvc/07_ESCompAllPrim", "ESCompAllPrim", 4),
        Capture("olingo4-tecsvc/08_ESMixPrimCollComp", "ESMixPrimCollComp", 3),
        Capture("olingo4-tecsvc/09_ESMedia", "ESMedia", 4),
        Capture("olingo4-tecsvc/10_ESKeyNav", "ESKeyNav", 3),
        Capture("olingo4-tecsvc/11_ESBase", "ESBase", 3),
        Capture("olingo4-tecsvc/12_ESMixEnumDefCollComp", "ESMixEnumDefCollComp", 3),
        Capture("olingo4-tecsvc/13_ESStream", "ESStream", 3),
        Capture("olingo4-tecsvc/14_ESTwoBase", "ESTwoBase", 1),
        Capture("olingo4-tecsvc/15_AllPrim-full", "ESAllPrim", 1),
        Capture("olingo4-tecsvc/16_AllPrim-none", "ESAllPrim", 1),
        Capture("olingo4-tecsvc/17_AllPrim-ieee", "ESAllPrim", 1),
        Capture("olingo4-tecsvc/20_delta-initial", "ESDelta", 5),
        Capture("olingo4-tecsvc/21_create", "ESTwoPrim", 1),
        Capture("olingo4-tecsvc/23_read-created", "ESTwoPrim", 1),
        Capture("olingo4-tecsvc/24_update", "ESTwoPrim", 1),
        Capture("olingo4-tecsvc/26_update-missing", "ESTwoPrim", 1),
        Capture(
            "olingo4-tecsvc/33_delta-after-changes",
            "ESDelta",
            13,
            has: [
                "begin ETAllPrim", "removed ESDelta(32767) changed",
                "removed ESDelta(-32768) deleted",
                "link + ESDelta(32767) NavPropertyETAllPrimOne ESAllPrim(-32768)",
                "link - ESDelta(-32768) NavPropertyETAllPrimOne ESAllPrim(-32768)",
            ]
        ),
        Capture("lodata/03_collection", "Categories", 8),
        Capture("lodata/04_page1", "Products", 20),
        Capture("lodata/05_page2", "Products", 20),
        Capture("lodata/06_expand", "Products", 3),
        Capture("lodata/07_filter", "Products", 4),
        Capture("lodata/09_single-expand", "Products", 1),
        Capture("lodata/13_create", "Categories", 1),
        Capture("lodata/15_read-created", "Categories", 1),
        Capture("lodata/16_update", "Categories", 1),
        Capture("olingo2-ref/06_collection", "Buildings", 3),
        Capture("olingo2-ref/07_page1", "Rooms", 100),
        Capture("olingo2-ref/08_page2", "Rooms", 3),
        Capture("olingo2-ref/09_employees", "Employees", 6),
        Capture("olingo2-ref/11_room-etag", "Rooms", 1),
        Capture("olingo2-ref/13_function", "Employees", 6),
        Capture("olingo2-ref/14_create", "Buildings", 1),
        Capture("olingo2-ref/16_create-duplicate", "Buildings", 1),
        Capture("olingo2-ref/17_read-created", "Buildings", 1),
        Capture("pyslet/06_collection", "Categories", 8),
        Capture("pyslet/07_page1", "Products", 20),
        Capture("pyslet/08_page2", "Products", 20),
        Capture("pyslet/09_expand", "Products", 3),
        Capture("pyslet/10_filter", "Products", 4),
        Capture("pyslet/12_single-expand", "Products", 1),
        Capture("pyslet/16_create", "Categories", 1),
        Capture("pyslet/19_read-created", "Categories", 1),
    ]

    @Test(arguments: captures)
    func readsEveryPayload(_ capture: Capture) throws {
        let folder = String(capture.file.prefix { $0 != "/" })
        let metadata = try SharedFolder.body("captures/\(folder)/01_metadata.http")
        let model = try CSDLDocument(reading: metadata).model
        let body = try SharedFolder.body("captures/\(capture.file).http")
        let reading = try readPayload(body, model, set: capture.set)
        #expect(reading.info.entityCount == capture.count)
        #expect(reading.info.diagnostics.isEmpty)
        for line in capture.lines { #expect(reading.lines.contains(line)) }
        #expect(try readPayload(body, model, set: capture.set, pieces: 61).lines == reading.lines)
    }

    static let errors = [
        "lodata/14_create-duplicate", "lodata/17_update-wrong-etag", "lodata/18_update-missing",
        "lodata/19_malformed-body", "lodata/20_not-found", "lodata/21_no-such-set",
        "lodata/23_batch-json", "olingo4-tecsvc/27_malformed-body", "olingo4-tecsvc/28_not-found",
        "olingo4-tecsvc/29_no-such-set", "olingo4-tecsvc/31_batch-json",
        "olingo2-ref/20_update-missing", "olingo2-ref/21_malformed-body",
        "olingo2-ref/22_not-found",
        "olingo2-ref/23_no-such-set", "pyslet/11_bad-filter", "pyslet/18_create-duplicate",
        "pyslet/20_update", "pyslet/22_update-missing", "pyslet/23_malformed-body",
        "pyslet/24_not-found", "pyslet/25_no-such-set", "pyslet/26_batch",
    ]

    @Test(arguments: errors)
    func readsEveryError(_ file: String) throws {
        let body = try SharedFolder.body("captures/\(file).http")
        let error = try #require(errorBody(body))
        #expect(!error.message.isEmpty)
    }
}

func errorBody(_ bytes: [UInt8]) -> ODataErrorBody? { ODataErrorBody(reading: bytes.span) }
