/// Guesses the number of the next name of a list that repeats names in the order in which they came first.
///
/// Between two of them the document has had as many other names as between the two before, mostly: an association is
/// followed by its roles and by the next property.
struct NameSequence {
    private var last = 0
    private var stride = 1

    /// The number of the name right before the one that is expected.
    var beforeExpected: Int { last + stride - 1 }

    /// Notes the name that has come.
    mutating func add(_ symbol: Int) {
        stride = max(1, symbol - last)
        last = symbol
    }
}
