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

    /// Returns the question whether the nearest candidate is meant, to be put behind a message; empty where none is near.
    public static func question(_ name: String, among candidates: some Sequence<String>) -> String {
        of(name, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Returns the number of insertions, deletions, replacements and exchanges of neighbours between two texts.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before = [Int](repeating: 0, count: right.count + 1)
        var above = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                let isSame = left[i] == right[j]
                var least = min(above[j + 1] + 1, row[j] + 1, above[j] + (isSame ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, before[j - 1] + 1)
                }
                row.append(least)
            }
            (before, above) = (above, row)
        }
        return above[right.count]
    }
}
