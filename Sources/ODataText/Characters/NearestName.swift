/// Finds the known name that someone probably meant.
public enum NearestName {
    /// Longest name that is compared: the work grows with the product of the lengths.
    private static let longestName = 64

    /// Returns the candidate with the fewest edits, at most a third of the length of the name; nil where none is near.
    public static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = name.lowercased().utf8.prefix(longestName + 1).map { $0 }
        guard wanted.count <= longestName else { return nil }
        var best: (String, distance: Int)?
        let allowed = max(1, wanted.count / 3)
        for candidate in candidates where candidate.utf8.count <= longestName {
            let distance = distance(wanted, Array(candidate.lowercased().utf8))
            if distance <= allowed, best.map({ distance < $0.distance }) ?? true {
                best = (candidate, distance)
            }
        }
        return best?.0
    }

    /// Returns the number of insertions, deletions and replacements between two texts.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
