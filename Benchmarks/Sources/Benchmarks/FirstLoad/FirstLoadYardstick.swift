internal import CYardsticks

/// The limit of the first load: ready rows into the same table, in C.
enum FirstLoadYardstick {
    /// Transactions of about this many rows load best in WAL mode.
    private static let rowsPerTransaction: Int32 = 5_000

    /// Is the yardstick, in the child process: takes the table and its rows from a finished store.
    static func run(_ options: Options) throws {
        let store = try options.text("store")
        var name = [CChar](repeating: 0, count: 512)
        try unsafe check(yardstick_largest_table(store, &name, Int32(name.count)))
        var result = yardstick_load()
        let target = try options.text("target")
        try unsafe check(yardstick_first_load(store, name, target, rowsPerTransaction, &result))
        Measurements.report(
            rows: Int(result.rows),
            wall: result.insert_seconds + result.index_seconds,
            cpu: result.cpu_seconds,
            extra: "index \(result.index_seconds)"
        )
    }

    private static func check(_ problem: UnsafePointer<CChar>?) throws {
        guard let problem = unsafe problem else { return }
        throw BenchmarkError(unsafe "yardstick: " + String(cString: problem))
    }
}
