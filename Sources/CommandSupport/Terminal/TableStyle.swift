#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How tables are set: fitted to a terminal, or whole for a pipe or a file.
public struct TableStyle: Sendable {
    /// Columns of the terminal; nil where nothing is to be cut.
    var width: Int?
    /// Whether titles stand out.
    var isColoured = false

    /// For a pipe or a file.
    static let plain = TableStyle()

    /// For where this process writes its answers.
    public static let standardOutput: TableStyle = {
        guard isatty(STDOUT_FILENO) != 0 else { return plain }
        return TableStyle(width: terminalWidth, isColoured: allowsColours)
    }()

    /// Returns a line that stands out where the style has colours.
    func emphasized(_ line: String) -> String {
        isColoured ? "\u{1B}[1m\(line)\u{1B}[0m" : line
    }

    private static var terminalWidth: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// `NO_COLOR` (https://no-color.org): any text but the empty one turns colours off.
    private static var allowsColours: Bool {
        environment("NO_COLOR").isEmpty && environment("TERM") != "dumb"
    }

    private static func environment(_ name: String) -> String {
        unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
    }
}
