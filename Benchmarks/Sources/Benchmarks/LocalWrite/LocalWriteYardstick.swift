internal import CYardsticks

/// The limit of local changes: the rows that they write, written in C with the same durability.
enum LocalWriteYardstick {
    /// Is the yardstick, in the child process: takes the rows from a store with pending creates.
    static func run(_ options: Options) throws {
        var result = yardstick_writes()
        let problem = unsafe yardstick_local_writes(
            try options.text("store"),
            try options.text("table"),
            try options.text("target"),
            &result
        )
        if let problem = unsafe problem {
            throw BenchmarkError(unsafe "yardstick: " + String(cString: problem))
        }
        Measurements.report(
            rows: Int(result.transactions),
            wall: result.seconds,
            cpu: result.cpu_seconds,
            extra: "syncs \(result.syncs) written \(result.written_bytes)"
        )
    }
}
