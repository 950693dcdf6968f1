internal import CYardsticks

/// This program once more, doing one piece of work in a process of its own.
///
/// So that its CPU time and largest memory are its own, and no run warms up the next.
struct ChildProcess: ~Copyable {
    private var child = yardstick_child()

    /// Starts the piece of work that the first argument names.
    init(_ arguments: [String]) throws {
        let status = unsafe yardstick_start_child(arguments.joined(separator: "\n"), &child)
        if status != 0 { throw BenchmarkError("cannot start \(arguments[0]): error \(status)") }
    }

    /// Starts another program.
    init(program: [String]) throws {
        let status = unsafe yardstick_start_program(program.joined(separator: "\n"), &child)
        if status != 0 { throw BenchmarkError("cannot start \(program[0]): error \(status)") }
    }

    /// Asks it to end, and waits until it has.
    consuming func stop() {
        unsafe yardstick_stop(&child)
        _ = unsafe yardstick_wait(&child)
    }

    /// Returns the next line of its output.
    mutating func readLine() throws -> String {
        let capacity = 4_096
        var line = [CChar](repeating: 0, count: capacity)
        guard unsafe yardstick_read_line(&child, &line, Int32(capacity)) == 1 else {
            throw BenchmarkError("a child ended early")
        }
        let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Tells a server to end.
    mutating func closeInput() {
        unsafe yardstick_close_input(&child)
    }

    /// Waits until it has ended well.
    consuming func wait() throws {
        let status = unsafe yardstick_wait(&child)
        if status != 0 { throw BenchmarkError("a child ended with status \(status)") }
    }

    /// Runs a piece of work that answers one line of measurements.
    static func measurements(_ arguments: [String]) throws -> Measurements {
        var child = try ChildProcess(arguments)
        let line = try child.readLine()
        try child.wait()
        return try Measurements(line)
    }
}
