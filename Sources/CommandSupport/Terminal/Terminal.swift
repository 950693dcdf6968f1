import ODataProtocol
public import OfflineOData
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where answers, remarks and progress go.
public final class Terminal: Sendable {
    /// The live line on standard error; empty where none stands there.
    private let liveLine = Mutex("")
    private let log = Mutex<LogFile?>(nil)
    private let key = Mutex<OfflineODataEncryptionKey?>(nil)
    private let answered = Mutex(false)
    private let har = Mutex<HARFile?>(nil)

    /// Makes a transport over `URLSession`; nil where the program has none linked.
    let urlSession: URLSessionMaker?

    /// Writes to the standard output and the standard error of the process.
    public init(urlSession: URLSessionMaker? = nil) {
        self.urlSession = urlSession
    }

    /// Whether standard error is a terminal, on which a line can be written over.
    let showsLiveLines = isatty(STDERR_FILENO) != 0
    /// Whether lines are typed in by a person.
    public let isInteractive = isatty(STDIN_FILENO) != 0

    /// Whether answers go to a terminal.
    public let showsAnswers = isatty(STDOUT_FILENO) != 0

    /// Receives what the engine logs from now on; nil turns logging off.
    public var logger: LogFile? {
        get { log.guarded { $0 } }
        set { log.guarded { $0 = newValue } }
    }

    /// The key of the stores that the command opens from now on; nil where they are not encrypted.
    public var storeKey: OfflineODataEncryptionKey? {
        get { key.guarded { $0 } }
        set { key.guarded { $0 = newValue } }
    }

    /// Records the exchanges of the commands from now on that have no recording of their own; nil for none.
    public var recording: HARFile? {
        get { har.guarded { $0 } }
        set { har.guarded { $0 = newValue } }
    }

    /// Whether something of an answer was written since this was last set to false.
    public var hasAnswered: Bool {
        get { answered.guarded { $0 } }
        set { answered.guarded { $0 = newValue } }
    }

    /// Writes an answer to standard output.
    public func answer(_ bytes: [UInt8]) throws(CommandFailure) {
        hasAnswered = true
        try FileBytes.write(bytes, to: STDOUT_FILENO, named: "standard output")
    }

    /// Writes an answer to standard output, a newline after it.
    public func answer(_ text: String) throws(CommandFailure) {
        try answer(Array((text + "\n").utf8))
    }

    /// Writes a remark to standard error, in which the words of a service do not steer the terminal; a live line stays below it.
    public func remark(_ remark: String) {
        let text = DisplayText.printableLines(remark)
        liveLine.guarded { live in
            let above = live.isEmpty ? "" : "\r\u{1B}[K"
            send(above + text + "\n" + live)
        }
    }

    /// Asks for a line on standard error.
    public func ask(_ prompt: String) {
        send(prompt)
    }

    /// Writes over the live line; an empty text removes it.
    public func showLive(_ text: String) {
        guard showsLiveLines else { return }
        liveLine.guarded { live in
            guard !text.isEmpty || !live.isEmpty else { return }
            live = text
            send("\r\u{1B}[K" + text)
        }
    }

    /// A failure of standard error cannot be reported.
    private func send(_ text: String) {
        try? FileBytes.write(Array(text.utf8), to: STDERR_FILENO, named: "standard error")
    }
}
