/// The rows of a level as those below know them: each id once, by its position in a list.
///
/// Several rows may be one entity: two orders of one customer. What is expanded of it is read once.
struct ParentPositions {
    /// The ids as a JSON array.
    let ids: String
    let count: Int
    /// The position of each row's id.
    private let positions: [Int]
    private let known: [Int64: Int]

    /// Takes over the ids of rows.
    ///
    /// - Parameter open: The ids of which anything is expanded; nil for all. The others have no position of their own.
    init(_ rows: [Int64], open: Set<Int64>? = nil) {
        var known: [Int64: Int] = [:]
        known.reserveCapacity(rows.count)
        var distinct: [Int64] = []
        positions = rows.map { id in
            if let position = known[id] { return position }
            guard open?.contains(id) ?? true else { return 0 }
            known[id] = distinct.count
            distinct.append(id)
            return distinct.count - 1
        }
        ids = "[" + distinct.map { String($0) }.joined(separator: ",") + "]"
        count = distinct.count
        self.known = known
    }

    /// The position of a row's id.
    subscript(row: Int) -> Int { positions[row] }

    /// The position of an id; nil where nothing is expanded of it.
    func position(of id: Int64) -> Int? { known[id] }

    /// The rows of each position, of rows that come in the order of their parents' positions.
    func ranges(of parents: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(count)
        var start = 0
        for position in 0..<count {
            var end = start
            while end < parents.count, parents[end] == position { end += 1 }
            ranges.append(start..<end)
            start = end
        }
        return ranges
    }
}
