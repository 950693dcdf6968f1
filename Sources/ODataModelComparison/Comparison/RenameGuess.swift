/// Guesses what a removed element may have been renamed to, among the added ones of the same kind.
struct RenameGuess {
    private static let maximumCandidateCount = 200
    private static let maximumNameLength = 128

    private var candidates: [(name: String, signature: String)] = []

    /// Adds an element that the old model does not have; the signature is what must be equal.
    mutating func add(_ name: String, signature: String) {
        candidates.append((name, signature))
    }

    /// Returns the added element of the same signature whose name is the nearest; nil without one.
    func name(for removed: String, signature: String) -> String? {
        guard candidates.count <= RenameGuess.maximumCandidateCount,
            removed.utf8.count <= RenameGuess.maximumNameLength
        else { return nil }
        let fitting = candidates.filter {
            $0.signature == signature && $0.name.utf8.count <= RenameGuess.maximumNameLength
        }
        let measured = fitting.map { (name: $0.name, distance: distance(removed, $0.name)) }
        return measured.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// Returns the detail of a removal: the guess, or nothing.
    func detail(for removed: String, signature: String) -> String {
        name(for: removed, signature: signature).map { "it may have been renamed to '\($0)'" } ?? ""
    }

    /// Number of bytes to insert, remove or replace (Levenshtein).
    private func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (position, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for column in right.indices {
                let above = row[column + 1]
                let change = diagonal + (byte == right[column] ? 0 : 1)
                row[column + 1] = min(change, above + 1, row[column] + 1)
                diagonal = above
            }
        }
        return row[right.count]
    }
}
