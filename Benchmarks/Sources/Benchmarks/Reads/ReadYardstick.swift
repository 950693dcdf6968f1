internal import CYardsticks

/// The same SQL driven from C; each function answers the CPU seconds that it took.
struct ReadYardstick {
    /// The store's file.
    let path: String

    /// Runs a statement so many times; its parameter gets numbers from 1,000 on in steps.
    func read(_ sql: String, repeats: Int, step: Int) throws -> Double {
        try times(sql, repeats: repeats, step: step).processor
    }

    /// The same, with the seconds that went by.
    func times(_ sql: String, repeats: Int, step: Int = 1) throws -> (
        wall: Double, processor: Double
    ) {
        var result = yardstick_reads()
        let problem = unsafe yardstick_read(
            path,
            sql,
            Int32(repeats),
            Self.firstKey,
            Int64(step),
            &result
        )
        return try unsafe (result.seconds, seconds(result, problem))
    }

    /// The same with the statement prepared anew each time.
    func readPreparedAnew(_ sql: String, repeats: Int, step: Int) throws -> Double {
        var result = yardstick_reads()
        let problem = unsafe yardstick_read_prepared_anew(
            path,
            sql,
            Int32(repeats),
            Self.firstKey,
            Int64(step),
            &result
        )
        return try unsafe seconds(result, problem)
    }

    /// Runs the statements of three levels so many times.
    func expand(_ sql: [String], repeats: Int) throws -> Double {
        var result = yardstick_reads()
        let problem = unsafe yardstick_expand(
            path,
            sql[0],
            sql[1],
            sql[2],
            Int32(repeats),
            &result
        )
        return try unsafe seconds(result, problem)
    }

    /// Prepares a statement so many times.
    func prepare(_ sql: String, repeats: Int) throws -> Double {
        var result = yardstick_reads()
        let problem = unsafe yardstick_prepare(path, sql, Int32(repeats), &result)
        return try unsafe seconds(result, problem)
    }

    /// The smallest key of the readings.
    private static let firstKey: Int64 = 1_000

    private func seconds(_ result: yardstick_reads, _ problem: UnsafePointer<CChar>?) throws
        -> Double
    {
        if let problem = unsafe problem { throw BenchmarkError(unsafe String(cString: problem)) }
        return result.cpu_seconds
    }
}
