import StoreRecords
import ODataSQLite
import ODataAnswers

/// Writes the losing side of a resolved conflict to the event log, with what is needed to bring it back.
struct ConflictLosses {
    private let editor: QueueEditor
    private let entity: ChangedEntity
    private let url: String
    /// Whether both versions are merged, so that neither stays as it is.
    private let isMerge: Bool

    init(_ editor: QueueEditor, of entity: ChangedEntity, url: String, isMerge: Bool) {
        self.editor = editor
        self.entity = entity
        self.url = url
        self.isMerge = isMerge
    }

    /// Notes the service's version, over which the local one or a merge of both goes.
    func noteServer() throws {
        let versions = try StoreConflict(of: entity, on: editor.connection, schema: editor.schema)
        guard let server = versions.server else { return }
        let what =
            isMerge ? "merged; the service's version was" : "the local version stays; overwritten"
        try add("\(what): \(url) \(server)")
    }

    /// Notes that the service has deleted what the local version creates anew.
    func noteDeletion() throws {
        let what = isMerge ? "merged" : "the local version stays"
        try add("\(what); the service has deleted, and the next upload creates anew: \(url)")
    }

    /// Notes local requests that are merged with the service's version.
    func noteMerged(_ requests: [QueueEntry]) throws {
        for entry in requests {
            try Self.note(entry, as: "merged; the local request was", on: editor.connection)
        }
    }

    /// Notes the service's contents of streams, over which the local ones go.
    func noteServerStreams(_ requests: [Int64]) throws {
        let streams = StoreStreams(editor.connection)
        for entry in try requests.map(editor.entry) {
            guard let property = entry.streamProperty,
                let head = try streams.serverHead(of: entity.row, property)
            else {
                try add("the local version stays; the service's content is not here: \(entry.url)")
                continue
            }
            try add(
                "the local version stays; overwritten: \(entry.url), \(head.byteCount) bytes of \(head.contentType), kept with this event",
                stream: head.content
            )
        }
    }

    /// Notes a local request that is taken back; the content of a stream is kept with the event.
    static func note(_ entry: QueueEntry, on connection: SQLiteConnection) throws {
        try note(entry, as: "the service's version stays; taken back", on: connection)
    }

    private static func note(
        _ entry: QueueEntry,
        as what: String,
        on connection: SQLiteConnection
    ) throws {
        var details =
            "\(what): \(entry.method) \(entry.url) \(entry.body ?? "")"
        if let stream = entry.stream, let head = try StreamTable(connection).head(content: stream) {
            details += "\(head.byteCount) bytes of \(head.contentType), kept with this event"
        }
        if let headers = entry.headers { details += "\n" + headers }
        try EventLog(connection).add(EventLog.conflict, details: details, stream: entry.stream)
    }

    private func add(_ details: String, stream: Int64? = nil) throws {
        try EventLog(editor.connection).add(EventLog.conflict, details: details, stream: stream)
    }
}
