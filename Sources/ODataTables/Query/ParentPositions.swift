/// The rows of a level as those below know them: each id once, by its position in a list.
///
/// Several rows may be one entity: two orders of one customer. What is expanded of it is read once.
struct ParentPositions {
    /// The ids as a JSON array.
    let ids: String
    let count: Int
    /// The position of each row's id.
    private let positions: [Int]

    init(_ rows: [Int64]) {
        var known: [Int64: Int] = [:]
        known.reserveCapacity(rows.count)
        var distinct: [Int64] = []
        positions = rows.map { id in
            if let position = known[id] { return position }
            known[id] = distinct.count
            distinct.append(id)
            return distinct.count - 1
        }
        ids = "[" + distinct.map { String($0) }.joined(separator: ",") + "]"
        count = distinct.count
    }

    /// The position of a row's id.
    subscript(row: Int) -> Int { positions[row] }

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
