internal import CYardsticks

/// What a number of durable creates took.
struct WriteCost {
    var wall: Double
    var cpu: Double
    var syncs: Double
    var written: Double

    /// Measures work of this process.
    static func of(_ work: () async throws -> Void) async rethrows -> WriteCost {
        let (wall, cpu) = (yardstick_wall_seconds(), yardstick_cpu_seconds())
        let (syncs, written) = (yardstick_syncs(), yardstick_written_bytes())
        try await work()
        return WriteCost(
            wall: yardstick_wall_seconds() - wall,
            cpu: yardstick_cpu_seconds() - cpu,
            syncs: Double(yardstick_syncs() - syncs),
            written: Double(yardstick_written_bytes() - written)
        )
    }

    init(wall: Double, cpu: Double, syncs: Double, written: Double) {
        (self.wall, self.cpu, self.syncs, self.written) = (wall, cpu, syncs, written)
    }

    /// Takes what another process reports.
    init(_ report: Measurements) throws {
        self.init(
            wall: try report.number("wall"),
            cpu: try report.number("cpu"),
            syncs: try report.number("syncs"),
            written: try report.number("written")
        )
    }
}
