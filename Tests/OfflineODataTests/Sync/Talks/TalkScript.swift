import Testing

/// A case of the conversation tests: what the service answers byte by byte, what is done here, and what is sent and kept then.
///
/// An event stands at the beginning of a line; what it prints is indented by two spaces. The test runs the events and compares the
/// whole transcript. The service takes no batches.
///
///     on METHOD URL STATUS [N:V …] [BODY]   how the service answers, from the next request on; a blank in a value is written `_`
///     then STATUS [N:V …] [BODY]            its next answer, which stays if it is the last; status 0 is a connection that cannot be
///                                           made, `lost` one that breaks after the request has left
///     open [URL …]                 opens a store with these queries; `+URL` brings streams too
///     POST|PATCH|PUT|DELETE URL [BODY]      a local change; `tx=T` and `header=N:V` before the method set options
///     upload, download             what was asked for, with the condition and the body, and the result
///     retry ID, resolve URL local|server    decisions of a person
///     rows URL, stream URL, queue, events   what the store has
struct TalkScript: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    var testDescription: String { name }

    /// Runs the events and returns the transcript.
    func transcript() async throws -> String {
        var run = try TalkRun()
        var lines: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("  ") {
            lines.append(String(line))
            lines += try await run.run(String(line)).map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }
}
