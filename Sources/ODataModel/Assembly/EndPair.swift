/// The two ends of an association or of its set, without an array for each of the thousands that a document may have.
///
/// Ends after the second are only counted: more than two are a fault, which a diagnostic reports.
struct EndPair<End> {
    private(set) var count = 0
    private(set) var first: End?
    private(set) var second: End?

    mutating func append(_ end: End) {
        count += 1
        if count == 1 { first = end } else if count == 2 { second = end }
    }

    /// Changes the end that came last; one after the second is not kept.
    mutating func changeLast(_ change: (inout End) -> Void) {
        if count == 1, var end = first {
            change(&end)
            first = end
        } else if count == 2, var end = second {
            change(&end)
            second = end
        }
    }

    func first(where isWanted: (End) -> Bool) -> End? {
        if let first, isWanted(first) { return first }
        if let second, isWanted(second) { return second }
        return nil
    }

    func last(where isWanted: (End) -> Bool) -> End? {
        if let second, isWanted(second) { return second }
        if let first, isWanted(first) { return first }
        return nil
    }
}
