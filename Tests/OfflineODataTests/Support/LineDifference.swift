/// How the lines of a store differ from those of a model.
enum LineDifference {
    /// Returns what is lost and what should not be there; nil where there is nothing.
    static func text(_ found: [String], _ expected: [String]) -> String? {
        guard found != expected else { return nil }
        let lost = expected.filter { !found.contains($0) }
        let extra = found.filter { !expected.contains($0) }
        return "lost: \(lost)\nextra: \(extra)"
    }
}
