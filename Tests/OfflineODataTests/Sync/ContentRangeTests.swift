import Testing

@testable import OfflineSync
@testable import OfflineOData

/// What a service says of the part of a stream that it sends.
@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 5-9/10", 5, 10), ("Bytes 0-9/10", 0, 10), ("bytes 5-9/*", 5, nil),
            ("bytes 5-9", nil, nil), ("bytes */10", nil, nil), ("items 5-9/10", nil, nil),
            ("bytes -5-9/10", nil, nil), ("bytes x-9/10", nil, nil), ("", nil, nil),
            ("bytes 5-9/10 more", nil, nil),
        ] as [(String, Int?, Int?)]
    )
    func readsFirstByteAndTotalOfAContentRange(_ field: String, _ first: Int?, _ total: Int?) {
        let range = ContentRange(field)
        #expect(range?.first == first)
        #expect(range?.total == total)
    }
}
