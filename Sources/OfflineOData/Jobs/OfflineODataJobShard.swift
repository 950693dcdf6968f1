/// A part of the stores of a job, for one of several processes.
///
/// Schedulers count from 0 or from 1. Both work: `0/8` to `7/8` are the same parts as `8/8` and `1/8` to `7/8`.
public struct OfflineODataJobShard: Sendable, Hashable, CustomStringConvertible {
    /// Number of this part, from 0.
    public let index: Int
    /// How many parts there are.
    public let count: Int

    /// All stores.
    public static let whole = OfflineODataJobShard(index: 0, count: 1)

    private init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// Reads `I/N`; nil where that is no part.
    public init?(_ text: String) {
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, let index = Int(words[0]), let count = Int(words[1]),
            (1...1_000_000).contains(count), (0...count).contains(index)
        else { return nil }
        self.init(index: index % count, count: count)
    }

    /// The part as it is written; the last one is called `N/N`.
    public var description: String { "\(index == 0 ? count : index)/\(count)" }

    /// The stores of this part: each store of a list is in one part.
    func stores(of all: [OfflineODataJob.Store]) -> [OfflineODataJob.Store] {
        stride(from: index, to: all.count, by: count).map { all[$0] }
    }
}

extension OfflineODataJobShard {
    /// Returns the parts that a list of them lacks, as they are written.
    ///
    /// Where a job was cut in several ways, those of the way that is the nearest to complete.
    static func missing(in written: [String]) -> [String] {
        let known = written.compactMap { OfflineODataJobShard($0) }
        let cuts = Dictionary(grouping: known, by: \.count).map { count, parts in
            // Counted from 1, so that the last one, N/N, comes last.
            Set(1...count).subtracting(parts.map { $0.index == 0 ? count : $0.index }).sorted()
                .map { "\($0)/\(count)" }
        }
        return cuts.min { $0.count < $1.count } ?? []
    }
}
