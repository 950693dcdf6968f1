package import ODataBinding
package import ODataHTTP
import ODataModel
import ODataSQL
package import ODataTables

/// Delta links of data that others write, too (OData 4.01 Part 1 § 11.3): what a tracked request answered is remembered, and a delta
/// answer says in what the present answer differs.
///
/// No writer pays for it, whichever process writes and in whichever way; each delta answer reads the whole result.
package struct ComparedDeltas: DeltaAnswering {
    private let read: ReadAnswer
    private let history: AnswerHistory
    private var tracked: TrackedRequest { TrackedRequest(read.context) }

    package init(_ read: ReadAnswer, history: AnswerHistory) {
        self.read = read
        self.history = history
    }

    package func watermark(of path: EntityPath, _ options: BoundOptions) throws -> Int64? {
        guard isTrackable(path, options) else { return nil }
        return history.remember(try state(of: path, options), of: tracked.text)
    }

    /// Whether a delta answer can say how the result changes: 4.0 would need the links between entities for what is expanded.
    private func isTrackable(_ path: EntityPath, _ options: BoundOptions) -> Bool {
        guard case .entitySet = path.source, path.steps.allSatisfy(\.isCast),
            options.top == nil, options.skip == nil, options.apply.isEmpty
        else { return false }
        switch read.context.version {
        case .v4: return options.expand.isEmpty
        case .v401: return true
        default: return false
        }
    }

    package func link(since watermark: Int64) -> String {
        link(to: DeltaToken(since: watermark))
    }

    private func link(to token: DeltaToken) -> String {
        tracked.link(token: token.text(for: tracked.text))
    }

    /// What the request answers now, whatever form a client wants it in.
    private func state(of path: EntityPath, _ options: BoundOptions) throws -> AnswerState {
        let answer = try read.query.entities(
            path,
            options: shape(options),
            format: AnswerFormat(version: .v401, metadata: .minimal, isIEEE754Compatible: false)
        )
        let link = EntityLink(read.rows)
        return try AnswerState(rows: answer.rows, json: answer.entities) { row in
            try link.link(RowReference(source: path.source, row: row))
        }
    }

    private func shape(_ options: BoundOptions) -> BoundOptions {
        var shape = options
        shape.count = false
        shape.orderBy = []
        return shape
    }

    // MARK: Changes

    package func changes(
        of path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse {
        guard isTrackable(path, options), let text = options.deltaToken else {
            throw ServiceError(501, "changes of this resource are not tracked")
        }
        // OData JSON 4.01 § 3.1.3.
        guard format.metadata != .none else {
            throw ServiceError(406, "changes cannot be answered without metadata")
        }
        var token = try DeltaToken.read(text, for: tracked.text)
        let former = try remembered(token.since)
        let present: AnswerState
        if let until = token.until {
            present = try remembered(until)
        } else {
            present = try state(of: path, options)
            token.size = read.pageSize
        }
        let difference = present.difference(from: former)
        if token.until == nil {
            token.until =
                difference.isEmpty
                ? token.since : history.remember(present, of: tracked.text)
        }
        return try answer(difference, token, at: path, options, format)
    }

    private func remembered(_ number: Int64) throws -> AnswerState {
        guard let state = history.state(number, of: tracked.text) else {
            throw ServiceError(
                410,
                "the state that the delta link begins at is not known any more: read the whole result again"
            )
        }
        return state
    }

    private func answer(
        _ difference: AnswerState.Difference,
        _ token: DeltaToken,
        at path: EntityPath,
        _ options: BoundOptions,
        _ format: AnswerFormat
    ) throws -> HTTPResponse {
        guard let until = token.until else {
            throw ServiceError(410, "the result has grown too large to be tracked: read it again")
        }
        guard token.offset <= difference.count else {
            throw ServiceError(400, "the $deltatoken is not one that this request was given")
        }
        let end = token.offset + min(difference.count - token.offset, token.size ?? .max)
        var body = CollectionBody(format)
        body.context(read.contextURL.delta(path, options: options))
        body.value(try items(difference, token.offset..<end, at: path, options, format))
        if end < difference.count {
            var next = token
            next.offset = end
            body.nextLink(link(to: next))
        } else {
            body.deltaLink(link(since: until))
        }
        return read.json(body.finished(), format: format)
    }

    /// The items of a page: what is gone first, since its keys may have been given again.
    private func items(
        _ difference: AnswerState.Difference,
        _ range: Range<Int>,
        at path: EntityPath,
        _ options: BoundOptions,
        _ format: AnswerFormat
    ) throws -> [UInt8] {
        let gone = difference.removed.count
        var parts: [[UInt8]] = []
        for (row, url) in difference.removed[range.clamped(to: 0..<gone)] {
            parts.append(try removed(row, url, at: path, format))
        }
        let rows = range.clamped(to: gone..<difference.count).map { difference.changed[$0 - gone] }
        if !rows.isEmpty {
            let answer = try read.query.entities(
                path,
                options: shape(options),
                among: rows,
                format: format
            )
            if !answer.entities.isEmpty { parts.append(answer.entities) }
        }
        return Array(parts.joined(separator: ",".utf8))
    }

    private func removed(
        _ row: Int64,
        _ url: String,
        at path: EntityPath,
        _ format: AnswerFormat
    ) throws -> [UInt8] {
        let set = read.model.name(of: path.source)
        // The row may have got another key, or be another entity's by now.
        let present = try EntityLink(read.rows).link(RowReference(source: path.source, row: row))
        let needsContext = format.version == .v4 || format.metadata == .full
        return RemovedEntity(
            id: read.context.service.root + url,
            reason: present == url ? .changed : .deleted,
            context: needsContext ? read.contextURL.entry(set, kind: "$deletedEntity") : nil
        ).json(format.version)
    }
}
