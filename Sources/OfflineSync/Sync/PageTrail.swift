import OfflineValues

/// The chain of pages that a query has led to: it ends, whatever the service's next links say.
///
/// A circle is found with one remembered page, which moves on after 1, 2, 4, 8… steps (Brent's algorithm): at the latest when the
/// chain has come round three times, however long it is, and without holding every URL.
package struct PageTrail {
    private let maximumCount: Int
    private let maximumEmptyCount: Int
    private let isV4: Bool
    private var pageCount = 0
    private var emptyCount = 0
    private var remembered: String?
    private var stepsLeft = 1
    private var stride = 1

    /// Empty pages in a row after which versions 1 to 3 are taken to be at their end: of these, services are known that forget to end
    /// the chain, and others that choose what a user may see after they have cut the pages.
    private static let mostEmptyOldPages = 100

    package init(_ settings: DownloadSettings, isV4: Bool) {
        maximumCount = settings.maximumPageCount
        maximumEmptyCount = settings.maximumEmptyPageCount
        self.isV4 = isV4
    }

    /// Takes the next page.
    ///
    /// - Throws: ``OfflineODataError`` where the chain has led there before, or is longer than the settings allow.
    package mutating func enter(_ url: String) throws {
        try count()
        guard url != remembered else {
            throw OfflineODataError(
                .server,
                "the service's next links lead in a circle: to the same page again after \(stride - stepsLeft + 1) pages"
            )
        }
        stepsLeft -= 1
        guard stepsLeft == 0 else { return }
        remembered = url
        stride *= 2
        stepsLeft = stride
    }

    /// Counts one more page.
    mutating func count() throws {
        pageCount += 1
        guard pageCount <= maximumCount else {
            throw OfflineODataError(
                .server,
                "the service's next links do not end after \(maximumCount) pages; see limits.pageCount"
            )
        }
    }

    /// What is said of a chain that is followed no further.
    package var remark: String {
        "the service has answered \(emptyCount) pages without entities in a row, each with a link to a next one: what may be"
            + " behind them was not read; see limits.emptyPageCount"
    }

    /// Whether the chain is to be followed no further after a page with so many entities.
    ///
    /// - Throws: ``OfflineODataError`` where too many pages in a row were empty.
    package mutating func isOver(after entityCount: Int) throws -> Bool {
        emptyCount = entityCount > 0 ? 0 : emptyCount + 1
        guard isV4 else { return emptyCount >= min(Self.mostEmptyOldPages, maximumEmptyCount) }
        guard emptyCount < maximumEmptyCount else {
            throw OfflineODataError(
                .server,
                "the service has answered \(emptyCount) pages without entities in a row, each with a link to a next one;"
                    + " see limits.emptyPageCount"
            )
        }
        return false
    }
}
