internal import CYardsticks

/// Named numbers and texts, as one process reports them to another on one line: `name value name value`.
struct Measurements {
    private var values: [String: String] = [:]

    /// Reads a line.
    init(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        guard words.count.isMultiple(of: 2) else { throw BenchmarkError("bad report: \(line)") }
        for index in stride(from: 0, to: words.count, by: 2) {
            values[words[index]] = words[index + 1]
        }
    }

    /// Returns a number that must be there.
    func number(_ name: String) throws -> Double {
        guard let value = values[name].flatMap(Double.init) else {
            throw BenchmarkError("a report lacks '\(name)'")
        }
        return value
    }

    /// Reports this process's work on standard output; its whole CPU time unless a part is given, and its largest memory.
    static func report(rows: Int, wall: Double, cpu: Double? = nil, extra: String = "") {
        let processor = cpu ?? yardstick_cpu_seconds()
        print(
            "rows \(rows) wall \(wall) cpu \(processor) memory \(yardstick_peak_memory())"
                + (extra.isEmpty ? "" : " " + extra)
        )
    }
}
