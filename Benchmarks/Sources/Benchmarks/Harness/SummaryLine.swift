/// One line of the table that a run of the benchmarks ends with.
struct SummaryLine: Encodable, Sendable {
    /// What a ratio must be.
    enum Bound: String, Encodable, Sendable {
        case atLeast, atMost
    }

    /// The work, and what it is compared with.
    let work: String
    /// What the work took, in `unit`.
    let ours: Double
    /// What the limit took.
    let limit: Double
    let unit: String
    /// How the two compare: the median over pairs, where they were measured in pairs.
    let ratio: Double
    /// The ratio that is wanted.
    let wanted: Double
    let bound: Bound
    /// The same ratio of processor time, of all threads.
    var cpuRatio: Double?
    /// Memory at its largest, of the process that did the work.
    var peakMemory: Double?
    /// How far the limit itself varied: its 90th percentile over its median.
    var spread: Double?
    /// Whether the ratio is as good only where two processors are free.
    var needsTwoCores = false

    var isMet: Bool { bound == .atLeast ? ratio >= wanted : ratio <= wanted }

    /// Whether other work on the machine may have made the ratio.
    var isNoisy: Bool { (spread ?? 1) > Self.quietSpread }

    /// A limit that varies more than this was not measured on a quiet machine.
    private static let quietSpread = 1.15
}
