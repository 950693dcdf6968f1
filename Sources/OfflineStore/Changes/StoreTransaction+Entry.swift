import ODataSQL
import StoreRecords
import StoreUpload
import ODataModel
import ODataTables

/// The request of a change as it goes into the queue.
extension StoreTransaction {
    /// The body as it stands in the queue: references by key, or by local id.
    ///
    /// - Parameter queued: References that stand in the queue already; what they name may have been deleted here since.
    func json(_ body: EntityBody, queued: Set<String> = []) throws -> String {
        let dialect = BodyDialect.v4 { binding in
            if queued.contains(binding.reference) { return binding.reference }
            return try self.link(self.find(binding.reference))
        }
        let bytes = try EntityBodyWriter.json(body, in: schema, as: dialect)
        return String(decoding: bytes, as: UTF8.self)
    }

    func enqueue(
        _ method: String,
        url: String,
        body: String?,
        stream: Int64? = nil,
        streamProperty: String? = nil,
        affected: RowReference,
        referred: [Int64],
        recorder: ChangeRecorder,
        etag: String? = nil,
        after: [Int64] = [],
        flags: QueueEntry.Flags = [],
        header: (String, String)? = nil,
        link: String? = nil
    ) throws {
        if options.transaction != nil, !recorder.insertedRows.contains(affected.row),
            !url.contains("/$ref")
        {
            try QueueMerge(self).checkTransaction(affected, url: url)
        }
        let entry = QueueEntry(
            id: 0,
            status: .pending,
            method: method,
            url: url,
            body: body,
            source: schema.layout.model.name(of: affected.source),
            row: affected.row,
            stream: stream,
            streamProperty: streamProperty,
            etag: etag,
            labels: options.labels,
            category: try groupName(options.category, affected: affected, url: url),
            transaction: try groupName(options.transaction, affected: affected, url: url),
            headers: try headerLines(header),
            flags: options.flags.union(flags),
            dependsOn: []
        )
        var involved = try involved(affected, referred: referred, recorder: recorder)
        involved.after = after
        involved.referred += try rowsInHeaders(affected, isCreation: entry.isCreation)
        involved.link = try link ?? groupLink(affected, url: url)
        let isAmongOpen = entry.transaction.map { $0 == openTransaction } ?? false
        let added = try RequestQueue(connection).add(
            entry,
            involved: involved,
            isAmongOpen: isAmongOpen
        )
        openTransaction = added.isParked ? nil : entry.transaction
        try JoiningRows(connection: connection, schema: schema).join(recorder.effects, of: url)
    }

    /// What a change needs to know of rows: a foreign key names an entity also where it is given by its value.
    func involved(
        _ affected: RowReference,
        referred: [Int64],
        recorder: ChangeRecorder
    ) throws -> RequestQueue.Involved {
        let principals = try CreatedPrincipals(rows).rows(named: recorder.effects)
        var involved = RequestQueue.Involved(affected: affected, referred: referred + principals)
        involved.effects = recorder.effects
        return involved
    }
}
