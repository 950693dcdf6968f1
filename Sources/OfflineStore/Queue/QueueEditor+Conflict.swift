import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import ODataBinding
import ODataAnswers
import ODataTables

/// Decisions between a local change and a newer version of the service.
extension QueueEditor {
    /// Which version of an entity stays.
    package enum Side: Sendable {
        /// The local change is sent again, over the service's version; a creation changes the entity that the service has.
        case local
        /// The service's version stays; the local change is taken back and noted in the event log.
        case server
        /// The local change with further values is sent, over the service's version.
        case merge([UInt8])
    }

    /// Ends the conflict of an entity.
    ///
    /// - Throws: ``StoreError`` where the entity has no conflict, or its change is on its way.
    package func resolve(
        _ url: String,
        with side: Side,
        consent: Consent = .onlyUnsent
    ) throws {
        let entity = try conflictedEntity(url)
        let requests = try journal.requests(on: entity.row).map(entry)
        for request in requests { try check(request, consent: consent) }
        let refused = requests.filter(\.isRefusedForItsVersion)
        guard try isInConflict(entity) || !refused.isEmpty else {
            throw StoreError(
                .wrongState,
                "the store knows no newer version of \(url), so there is nothing to decide between: a download brings the version that the service has; a refused request can be tried again, edited or discarded"
            )
        }
        let isGone = try GoneMarks(connection).contains(entity.row)
        let isNewer = try rebuild.has(entity.row, in: entity.table.serverName)
        let streams = StreamConflicts(connection)
        let refusedStreams = try streams.requests(on: entity.row)
        let isMerge = if case .merge = side { true } else { false }
        let losses = ConflictLosses(self, of: entity, url: url, isMerge: isMerge)
        if case .server = side {
            _ = try drop(Set(requests.map(\.id)), consent: consent) {
                try ConflictLosses.note($0, on: connection)
            }
            return
        }
        if isMerge { try losses.noteMerged(requests.filter(\.isChangeOfValues)) }
        if isGone {
            // What the service has deleted is created anew, with the local values.
            try losses.noteDeletion()
            try Recreation(self, of: entity).queue(requests)
        } else if isNewer {
            try losses.noteServer()
            try moveBase(of: entity, requests)
        } else {
            // A download has found nothing newer than what the change was made on: a look before it is sent finds the ETag.
            for request in refused { try makePending(request.id) }
        }
        try losses.noteServerStreams(refusedStreams)
        try streams.moveBases(of: entity.row)
        for id in refusedStreams { try makePending(id, readingETag: false) }
        if case .merge(let text) = side { try merge(text, into: entity) }
    }

    /// Lets the waiting changes of an entity, its deletion and the contents of its streams be sent whatever version the service has by then.
    package func overwriteAnyVersion(_ url: String) throws {
        let entity = try conflictedEntity(url)
        for entry in try journal.requests(on: entity.row).map(entry)
        where entry.status == .pending && !entry.isCreation && !entry.hasOwnCondition {
            guard
                entry.isChangeOfValues || entry.isDeletion
                    || entry.streamProperty != nil
            else { continue }
            try connection.run(
                """
                UPDATE "$queue" SET "headers" = 'If-Match: *' || coalesce(char(10) || "headers", '') WHERE "id" = ?1
                """,
                [.integer(entry.id)]
            )
        }
    }

    /// Whether the service has another version of an entity, or of one of its streams, or has it no more.
    func isInConflict(_ entity: ChangedEntity) throws -> Bool {
        try GoneMarks(connection).contains(entity.row)
            || rebuild.has(entity.row, in: entity.table.serverName)
            || !StreamConflicts(connection).requests(on: entity.row).isEmpty
    }

    /// From now on the local changes are made on the service's version, and are sent with its ETag.
    private func moveBase(of entity: ChangedEntity, _ requests: [QueueEntry]) throws {
        let table = entity.table
        let creation = try journal.creator(of: entity.row).map(entry)
        if let creation {
            try checkInsisting(on: creation, of: entity)
        } else if requests.contains(where: \.isChangeOfValues) {
            try checkType(of: entity)
        }
        // What was created here may have no base copy yet.
        try ChangeRecorder(rebuild.rows, flags: []).keepBase(of: entity.row, in: table)
        try rebuild.copyServer(entity.row, in: table, to: table.baseName)
        try connection.run(
            "DELETE FROM \(table.serverName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(entity.row)]
        )
        try connection.run(
            """
            UPDATE "$queue" SET "etag" = (SELECT "$etag" FROM \(table.baseName.sqlQuoted) WHERE "$id" = ?1)
            WHERE "row" = ?1 AND "streamProperty" IS NULL
            """,
            [.integer(entity.row)]
        )
        if let creation { try makeUpdate(of: creation, entity) }
        try rebuild.rebuild([ChangedRow(table: table.name, row: entity.row)], links: [])
        for request in requests
        where [.failed, .unknownOutcome].contains(request.status) && request.streamProperty == nil {
            try makePending(request.id, readingETag: false)
        }
    }

    private func merge(_ text: [UInt8], into entity: ChangedEntity) throws {
        guard let plan = try entity.plan(on: connection, in: schema),
            let body = try EntityBodyReader.readStrictly(text, plan: plan, in: schema)
        else { throw StoreError(.invalid, "the body is no entity") }
        let link = try EntityLink(RowEditor(connection, layout: layout)).link(
            RowReference(source: entity.source, row: entity.row)
        )
        guard let link, try rebuild.has(entity.row, in: entity.table.name),
            case .entities(let path) = try BoundRequest(parsing: link, in: schema.model).resource
        else {
            throw StoreError(
                .wrongState,
                "the entity is deleted here, so that nothing can be merged: `local` deletes it at the service too, `server` brings it back"
            )
        }
        if try ConflictMerge(self, of: entity).take(body) { return }
        let transaction = StoreTransaction(connection, schema: schema, options: ChangeOptions())
        _ = try transaction.update(body, at: path, isReplacing: false, precondition: .none)
    }
}

extension QueueEntry {
    /// Whether the service has refused a change of an entity since the entity was another version.
    fileprivate var isRefusedForItsVersion: Bool {
        status == .failed && failure?.httpStatus == 412 && streamProperty == nil && !isLinkChange
    }
}
