import ODataSQL

/// The ways from the entities of an answer to those of a level that `$levels=max` may bring again and again.
///
/// A way ends at an entity that stands on it already: there an entity reference is answered, so that cyclic data have an end.
struct ExpandedPaths {
    /// The rows on each way, the last one of the level.
    private(set) var ways: [[Int64]]

    /// Ways are as many as entities in the answer.
    static let limit = 100_000

    /// The ways to the entities of the first level.
    init(_ rows: [Int64]) { ways = rows.map { [$0] } }

    private init(ways: [[Int64]]) { self.ways = ways }

    /// The rows of which the next level is read.
    var open: Set<Int64> { Set(ways.compactMap(\.last)) }

    /// The ways to the rows of the level below.
    ///
    /// - Parameters:
    ///   - children: Finds the rows below a row.
    ///   - endsAtAncestors: Whether a way ends where it comes to a row again.
    func extended(endsAtAncestors: Bool, _ children: (Int64) -> [Int64]) throws -> Self {
        var next: [[Int64]] = []
        for way in ways {
            guard let last = way.last else { continue }
            for child in children(last) where !endsAtAncestors || !way.contains(child) {
                next.append(way + [child])
            }
            guard next.count <= Self.limit else {
                throw QueryError(
                    .limitExceeded,
                    "$levels=max leads to more than \(Self.limit) entities on one level"
                )
            }
        }
        return Self(ways: next)
    }
}
