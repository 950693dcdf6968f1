package import StoreRecords
import ODataSQLite
import ODataSQL
import ODataPayload
import ODataHTTP
import ODataAnswers
import ODataTables

/// Streams at the service: their ETags, and contents that were read back.
extension UploadRecorder {
    /// Takes over the media ETag in the answer to a change of a stream.
    ///
    /// The ETag in the answer to a creation is the entity's, to a replacement the stream's. An answer may lack it: then the stream
    /// has to be read before the next change of it. Later requests are made on what the service has now.
    func takeStreamETag(_ entry: QueueEntry, success: Success) throws {
        guard entry.streamProperty != nil else { return }
        var etag: String?
        if let content = entry.stream {
            etag = entry.isCreation ? success.representation?.control[.mediaETag] : success.etag
            try StreamTable(connection).setETag(etag, of: content)
            if etag == nil, entry.isCreation || entry.etag != nil {
                try StreamTable(connection).setETagStale(of: content)
                etag = ETagState.stale
            }
        }
        try setETag(etag, ofStream: entry)
    }

    /// Takes over an ETag that was read for a stream with waiting changes.
    package func takeReadStreamETag(_ etag: String?, for entry: QueueEntry) throws {
        try setETag(etag, ofStream: entry)
    }

    private func setETag(_ etag: String?, ofStream entry: QueueEntry) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"etag\" = ?3 WHERE \"row\" = ?1 AND \"streamProperty\" = ?2",
            [.init(entry.row), .init(entry.streamProperty), .init(etag)]
        )
    }

    /// How the service's content of a stream stands to a request that changes it.
    ///
    /// - Parameter etag: The media ETag that came with the content.
    package func standing(ofContent content: Int64, etag: String?, for entry: QueueEntry) throws
        -> ServerStanding
    {
        guard let row = entry.row, let property = entry.streamProperty else { return .other }
        let streams = StreamTable(connection)
        if let sent = entry.stream, try streams.isSame(content, as: sent) { return .asSent }
        guard entry.etag != ETagState.overtaken else { return .other }
        let base = try StoreStreams(connection).serverHead(of: row, property)
        // A download since then may have brought the content of another client.
        let former = entry.etag == ETagState.stale ? nil : entry.etag
        let isMadeOnBase =
            base?.etag == nil || former == nil || EntityTag.areSame(base?.etag, former)
        if let base, isMadeOnBase, try streams.isSame(content, as: base.content) { return .base }
        // The content that the change was made on may not be in the store.
        return EntityTag.areSame(etag, entry.etag) ? .base : .other
    }

    /// Keeps the service's content of a stream whose change met a conflict; nil where the service has none.
    package func keepServerStream(_ content: Int64?, etag: String?, for entry: QueueEntry) throws {
        guard let row = entry.row, let property = entry.streamProperty,
            let table = schema.table(of: entry)
        else {
            if let content { try StoreStreams(connection).sweep([content]) }
            return
        }
        if let content { try StreamTable(connection).setETag(etag, of: content) }
        try StoreStreams(connection).setServerContent(
            content,
            of: row,
            property: property,
            in: table
        )
        try rebuild.updateState(of: row, table)
    }
}

/// How the service's present version stands to a request that was made on an earlier one.
package enum ServerStanding: Sendable {
    /// It is what the request would make of it.
    case asSent
    /// It is the version that the request was made on.
    case base
    /// Another client has changed it.
    case other
}
