import ODataPayload
@testable import OfflineSync
@testable import OfflineOData
import Testing

@Suite struct PageChunkTests {
    private static func chunk(_ sizes: [Int]) -> PageChunk {
        var chunk = PageChunk()
        for (index, size) in sizes.enumerated() {
            chunk.append(Array(repeating: UInt8(index), count: size))
        }
        return chunk
    }

    @Test(arguments: [
        (wanted: 1, taken: [100], rest: [50, 70]), (100, [100], [50, 70]),
        (101, [100, 50], [70]), (150, [100, 50], [70]), (220, [100, 50, 70], []),
        (1_000, [100, 50, 70], []),
    ])
    func givesWholePiecesFromTheFront(_ row: (wanted: Int, taken: [Int], rest: [Int])) {
        var chunk = Self.chunk([100, 50, 70])

        #expect(chunk.take(byteCount: row.wanted).map(\.count) == row.taken)
        #expect(chunk.byteCount == row.rest.reduce(0, +))
        #expect(chunk.take().map(\.count) == row.rest)
        #expect(chunk.byteCount == 0)
    }

    @Test func keepsTheTailOverSmallPieces() {
        var chunk = PageChunk()
        for byte in UInt8.min...UInt8.max { chunk.append([byte]) }
        _ = chunk.take()

        #expect(chunk.tail.suffix(3) == [253, 254, 255])
        #expect(chunk.tail.count <= NextLinkSearch.tailSize)
    }
}
