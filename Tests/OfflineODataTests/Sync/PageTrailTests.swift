import Testing

@testable import OfflineSync
@testable import OfflineOData

/// The bounds of a chain of pages.
@Suite struct PageTrailTests {
    private func settings(pages: Int = 100, empty: Int = 4) -> DownloadSettings {
        var settings = DownloadSettings()
        settings.maximumPageCount = pages
        settings.maximumEmptyPageCount = empty
        return settings
    }

    /// Where the trail ends for the entities that each page brings; "over" where the rest is given up without an error.
    private func end(_ counts: [Int], isV4: Bool, _ settings: DownloadSettings) -> String {
        var trail = PageTrail(settings, isV4: isV4)
        for (place, count) in counts.enumerated() {
            do {
                try trail.enter("page\(place)")
                if try trail.isOver(after: count) { return "over \(place)" }
            } catch { return "error \(place)" }
        }
        return "read"
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0], true, "error 3"), ([0, 0, 0, 1, 0, 0, 0, 1], true, "read"),
            ([0, 0, 0, 1, 0, 0, 0, 0], true, "error 7"), ([1, 1, 1, 1, 1], true, "read"),
            ([0, 0, 0], false, "read"), ([0, 0, 0, 0], false, "over 3"),
            ([0, 0, 0, 1, 0, 0, 0], false, "read"),
        ] as [([Int], Bool, String)]
    )
    func countsEmptyPagesInARow(_ counts: [Int], _ isV4: Bool, _ expected: String) {
        #expect(end(counts, isV4: isV4, settings()) == expected)
    }

    @Test(arguments: [(5, "read"), (6, "error 5")])
    func countsPages(_ count: Int, _ expected: String) {
        let counts = Array(repeating: 1, count: count)
        #expect(end(counts, isV4: true, settings(pages: 5)) == expected)
    }

    /// Circles of every length, after any number of pages, end within four times their length and the way there.
    @Test(arguments: 1...9, 0...9) func findsACircle(_ length: Int, _ before: Int) {
        var trail = PageTrail(settings(pages: 1_000), isV4: true)
        var place = 0
        var isFound = false
        while !isFound, place < 4 * (length + before) + 4 {
            let page = place < before ? place : before + (place - before) % length
            do { try trail.enter("page\(page)") } catch { isFound = true }
            place += 1
        }
        #expect(isFound)
        #expect(place > before + length)
    }
}
