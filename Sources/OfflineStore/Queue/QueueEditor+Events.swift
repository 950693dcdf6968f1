import ODataText
package import StoreRecords

/// What people decide about requests, in the event log.
extension QueueEditor {
    /// The type of the events.
    private static let event = "Queue"
    /// Requests that one event names; it counts the others.
    private static let namedCount = 5

    /// Edits the queue, and notes the requests that the edit answers; nothing is noted where there are none.
    package func noting(
        _ what: String,
        _ edit: (QueueEditor) throws -> [QueueEntry]
    ) throws -> [QueueEntry] {
        let entries = try edit(self)
        guard !entries.isEmpty else { return entries }
        let named = entries.prefix(Self.namedCount).map { "\($0.method) \($0.url)" }
        let others = entries.count - named.count
        let list = named.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
        try EventLog(connection).add(Self.event, details: "\(what): \(list)")
        return entries
    }

    /// Edits a request, and notes it as it is then.
    package func noting(_ what: String, of id: Int64, _ edit: (QueueEditor) throws -> Void) throws {
        _ = try noting(what) { editor in
            try edit(editor)
            return [try editor.entry(id)]
        }
    }

    /// Notes that an entity created here is one of the service.
    package func noteIdentity(of url: String, as name: String) throws {
        try EventLog(connection).add(Self.event, details: "identified: \(url) is \(name)")
    }
}
