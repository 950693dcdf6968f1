import Testing

/// A case of the seam tests: a script of events with the output expected below each.
///
/// An event stands at the beginning of a line; what it prints is indented by two spaces. The test runs the events and compares the
/// whole transcript; what `SeamInvariants` finds after an event stands in it too.
///
///     query NAME URL               adds a defining query
///     full NAME {…} {…}            stages the entities of a full read; `merge` applies all that is staged
///     delta NAME {…}               stages the members of a delta page's `value`
///     merge                        merges what was staged
///     partial NAME {…}             stages a full read that did not come to its end
///     one NAME {…}                 stages the answer to a query for one entity
///     POST|PATCH|PUT|DELETE URL [BODY]   a local change; `tx=T`, `cat=C`, `if=ETAG`, `optimize`, `remove`, `if-none`, `header=N:V` or
///                                  `template=N:V` before the method set options (`@URL` names a group by an entity, `@` by that
///                                  of the change); a body that is no object is the content of a stream
///     send [CATEGORY]              the requests that leave now
///     hold ID …, give-back         requests that are marked as being sent and have not left; lets them wait again
///     resume                       the requests that were sent and not answered
///     ok ID [etag=E] [id=URL] [BODY]     a successful answer
///     fail ID STATUS               a refusal
///     gone ID                      an answer that the entity is deleted, after the refusal
///     their ID [etag=E] BODY       the service's version, read after a refusal
///     their-stream ID etag=E TEXT  the service's content of a stream, read after a refusal
///     unknown|back ID              an answer that was lost; a request that the service has not looked at
///     move ID before|after ID, retry|drop|discard|split ID, edit ID BODY, undo URL, local|server URL, merge-with URL BODY, identify URL NAME
///     done URL                     takes the requests about an entity for carried out
///     absent, absent-gone URL, absent-found URL [etag=E] BODY   what a full read did not bring, and the answer to a read of it
///     standing ID BODY             how a version of the service stands to a request
///     conflicts, conflict URL      the entities in conflict, the versions of one
///     rows URL                     the entities that a URL addresses
///     ids URL                      their ids, where the service has not told the key
///     stream URL                   the content of a stream, with its ETag
///     tasks                        what the next download asks for
///     queue                        the queue and the archive
///     events                       the event log without times
struct SeamScript: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    /// Whether the service is one of version 2: pages and answers are written as such.
    let isOld: Bool

    init(_ name: String, isOld: Bool = false, _ text: String) {
        self.name = name
        self.text = text
        self.isOld = isOld
    }

    var testDescription: String { name }

    /// Runs the events and returns the transcript.
    ///
    /// - Parameter hasManyQueries: Whether the store has as many other queries as have a bit of their own.
    func transcript(hasManyQueries: Bool = false) async throws -> String {
        let store = try SeamStore(isOld: isOld)
        if hasManyQueries { try store.fillQueries() }
        var run = SeamRun(store: store)
        var lines: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("  ") {
            lines.append(String(line))
            lines += try await run.run(String(line)).map { "  " + $0 }
            lines += try store.violations().map { "  violation: " + $0 }
        }
        return lines.joined(separator: "\n")
    }
}
