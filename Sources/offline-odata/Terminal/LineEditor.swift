import CommandSupport
import ODataProtocol
import Synchronization

#if canImport(CEditLine)
    import CEditLine
#endif
#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads lines that a person can edit, recall and complete.
struct LineEditor {
    /// What completes words; the library calls a function that knows nothing else.
    private static let completion = Mutex<ShellWords?>(nil)

    /// Opens the library; nil where it is missing.
    init?(prompt: String, completion: ShellWords) {
        #if canImport(CEditLine)
            Self.completion.guarded { $0 = completion }
            let isOpen = unsafe ceditline_open(prompt, Self.history) { line, cursor in
                let text = unsafe String(cString: line)
                return unsafe LineEditor.complete(text, Int(cursor))
            }
            guard isOpen else { return nil }
        #else
            return nil
        #endif
    }

    /// Returns the next line, an empty one where Ctrl-C has ended it; nil at the end of the input.
    func line() -> String? {
        #if canImport(CEditLine)
            SignalWatch.shared.typing({ ceditline_cancel() }) {
                guard let text = unsafe ceditline_read() else { return nil }
                defer { unsafe free(text) }
                return unsafe String(cString: text)
            }
        #else
            nil
        #endif
    }

    /// Keeps the history.
    func close() {
        #if canImport(CEditLine)
            ceditline_close()
        #endif
    }

    private static var history: String? {
        unsafe getenv("HOME").map { unsafe String(cString: $0) + "/.offline-odata_history" }
    }

    /// What of the word is typed, and a line for each word that it can become.
    private static func complete(_ line: String, _ cursor: Int) -> UnsafeMutablePointer<CChar>? {
        let before = String(decoding: Array(line.utf8).prefix(cursor), as: UTF8.self)
        guard let words = completion.guarded({ $0 })?.candidates(for: before),
            !words.candidates.isEmpty
        else { return nil }
        let ending = words.candidates.count == 1 ? words.ending : ""
        let lines = [words.typed] + words.candidates.map { $0 + ending }
        return unsafe strdup(lines.joined(separator: "\n"))
    }
}
