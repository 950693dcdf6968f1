/// The measured values of one quantity over several runs.
struct Sample {
    private let sorted: [Double]

    /// Creates a sample of at least one value.
    init(_ values: [Double]) {
        precondition(!values.isEmpty, "a sample needs a value")
        sorted = values.sorted()
    }

    /// The middle value, the mean of the two middle ones of an even number.
    var median: Double {
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// How far the values vary: the 90th percentile over the median.
    var spread: Double { percentile90 / median }

    /// The smallest value.
    var smallest: Double { sorted[0] }

    /// The largest value.
    var largest: Double { sorted[sorted.count - 1] }

    /// The value that 99 of 100 do not exceed (nearest rank).
    var percentile99: Double {
        sorted[(sorted.count * 99 + 99) / 100 - 1]
    }

    /// The value that nine of ten do not exceed (nearest rank).
    var percentile90: Double {
        sorted[(sorted.count * 9 + 9) / 10 - 1]
    }
}
