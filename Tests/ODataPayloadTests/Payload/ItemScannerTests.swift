import TestSupport
import Testing

@testable import ODataPayload

/// The end of a value is where a look at one byte after the other finds it, however the bytes arrive.
@Suite struct ItemScannerTests {
    @Test(arguments: 0..<20)
    func findsTheEndThatAPlainLookFinds(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<TestScale.size(100, soak: 5_000) {
            let value = Self.value(&random)
            let rest = Self.pick([",", "", ", {\"a\": [1]}", "]}", " \n"], &random)
            let bytes = Array((value + rest).utf8)
            let found = try Self.scan(bytes, &random)
            #expect(found == value.utf8.count, "\(value)")
        }
    }

    /// A control character is refused where it stands, in a string alone, and not behind the end of the value.
    @Test(arguments: 0..<20)
    func refusesControlCharactersInStrings(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<TestScale.size(100, soak: 5_000) {
            let before = "{\"a\": [" + Self.spread(Int.random(in: 0..<140, using: &random)) + "\n\""
            let text = before + Self.spread(Int.random(in: 0..<140, using: &random))
            let bytes = Array((text + "\u{1}\"]}").utf8)
            let fault = #expect(throws: PayloadFault.self) { try Self.scan(bytes, &random) }
            #expect(fault?.code == .malformed)
            #expect(fault?.index == text.utf8.count)
            let behind = Array((text + "\"]}\"\u{1}\"").utf8)
            #expect(try Self.scan(behind, &random) == text.utf8.count + 3)
        }
    }

    @Test(arguments: [1, 63, 64, 65, 200])
    func refusesWhatIsNestedTooDeepAtItsPlace(_ offset: Int) throws {
        var random = SeededGenerator(seed: 1)
        var limits = PayloadLimits()
        limits.maximumDepth = 3
        let text = "{\"a\":" + Self.spread(offset) + "[[["
        let bytes = Array((text + "1]]]}").utf8)
        let fault = #expect(throws: PayloadFault.self) { try Self.scan(bytes, &random, limits) }
        #expect(fault?.code == .limitExceeded)
        #expect(fault?.index == text.utf8.count - 1)
    }

    @Test(arguments: [
        ("{\"a\":\"\(String(repeating: "x", count: 70))\"}", false), ("[\"é\"]", true),
    ])
    func tellsWhetherAValueIsASCII(_ text: String, _ hasHighBit: Bool) throws {
        for count in [0, 50, 64, 100] {
            let bytes = Array((String(repeating: " ", count: count) + text).utf8)
            var scanner = ItemScanner(limits: PayloadLimits())
            scanner.begin(at: count)
            let end = try Self.advance(&scanner, bytes, to: bytes.count)
            #expect(end == bytes.count)
            #expect(scanner.hasHighBit == hasHighBit)
        }
    }

    // MARK: Looking

    /// Returns the end of the value that the bytes begin with, which arrive in pieces.
    private static func scan(
        _ bytes: [UInt8],
        _ random: inout SeededGenerator,
        _ limits: PayloadLimits = PayloadLimits()
    ) throws -> Int? {
        var scanner = ItemScanner(limits: limits)
        scanner.begin(at: 0)
        var arrived = 0
        while arrived < bytes.count {
            let piece = Self.pick([1, 7, 64, 65, 150, bytes.count], &random)
            arrived = min(bytes.count, arrived + piece)
            if let end = try advance(&scanner, bytes, to: arrived) { return end }
        }
        return nil
    }

    private static func advance(
        _ scanner: inout ItemScanner,
        _ bytes: [UInt8],
        to arrived: Int
    ) throws -> Int? {
        try unsafe bytes.withUnsafeBufferPointer { buffer in
            try unsafe scanner.advance(try #require(buffer.baseAddress), to: arrived)
        }
    }

    // MARK: Values

    private static let pieces = [
        "x", "{", "}", "[", "]", "\\\"", "\\\\", "\\u0041", ",", ":", "Y_y\u{7F}", "é", "🚲", " ",
        "a longer text without anything that matters in it, of more than sixty-four bytes",
    ]

    private static func value(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        let count = Int.random(in: 0..<6, using: &random)
        let space = pick(["", "", " ", "\n\t"], &random)
        switch depth > 4 ? 2 : Int.random(in: 0..<(depth == 0 ? 2 : 4), using: &random) {
        case 0:
            let members = (0..<count).map { _ in
                string(&random) + space + ":" + space + value(&random, depth: depth + 1)
            }
            return "{" + members.joined(separator: "," + space) + space + "}"
        case 1:
            let items = (0..<count).map { _ in value(&random, depth: depth + 1) }
            return "[" + space + items.joined(separator: space + ",") + "]"
        case 2: return string(&random)
        default: return pick(["null", "-12.5e3", "true", "0"], &random)
        }
    }

    private static func string(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0..<8, using: &random)
        return "\"" + (0..<count).map { _ in pick(pieces, &random) }.joined() + "\""
    }

    /// So many bytes that matter nowhere.
    private static func spread(_ count: Int) -> String { String(repeating: " ", count: count) }

    private static func pick<Item>(_ items: [Item], _ random: inout SeededGenerator) -> Item {
        items[Int.random(in: items.indices, using: &random)]
    }
}
