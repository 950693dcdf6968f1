import ODataProtocol
import Testing

@testable import OfflineStore

/// A case of the seam tests: a script of events with the output expected below each.
///
/// An event stands at the beginning of a line; what it prints is indented by two spaces. The test runs the events and compares the
/// whole transcript.
///
///     query NAME URL               adds a defining query
///     full NAME {…} {…}            stages the entities of a full read; `merge` applies all that is staged
///     delta NAME {…}               stages the members of a delta page's `value`
///     merge                        merges what was staged
///     POST|PATCH|PUT|DELETE URL [BODY]   a local change; `tx=T`, `cat=C`, `optimize` or `remove` before the method set options
///     send [CATEGORY]              the requests that leave now
///     ok ID [etag=E] [id=URL] [BODY]     a successful answer
///     fail ID STATUS               a refusal
///     unknown|back ID              an answer that was lost; a request that the service has not looked at
///     retry|drop|discard|split ID, edit ID BODY, undo URL, local|server URL, merge-with URL BODY, identify URL NAME
///     rows URL                     the entities that a URL addresses
///     ids URL                      their ids, where the service has not told the key
///     tasks                        what the next download asks for
///     queue                        the queue and the archive
///     events                       the event log without times
struct SeamScript: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    var testDescription: String { name }

    /// Runs the events and returns the transcript.
    func transcript() async throws -> String {
        var run = SeamRun(store: try SeamStore())
        var lines: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("  ") {
            lines.append(String(line))
            lines += try await run.run(String(line)).map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }
}
