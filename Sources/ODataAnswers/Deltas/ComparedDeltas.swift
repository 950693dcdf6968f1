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
        tracked.link(DeltaToken(since: watermark))
    }

    /// What the request answers now, whatever form a client wants it in.
    private func state(of path: EntityPath, _ options: BoundOptions) throws -> AnswerState {
        let format = AnswerFormat(version: .v401)
        let page = DeltaPage(read, of: path, options: options, format: format)
        let answer = try read.query.entities(path, options: page.shape, format: format)
        let link = EntityLink(read.rows)
        return try AnswerState(rows: answer.rows, json: answer.entities) { row in
            try link.link(RowReference(source: path.source, row: row))
        }
    }

    // MARK: Changes

    package func changes(
        of path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse {
        let page = DeltaPage(read, of: path, options: options, format: format)
        var token = try page.token(isTracked: isTrackable(path, options))
        let former = try remembered(token.since)
        let difference: AnswerState.Difference
        if let until = token.until {
            difference = try remembered(until).difference(from: former)
        } else {
            let present = try state(of: path, options)
            difference = present.difference(from: former)
            token.size = read.pageSize
            token.until =
                difference.isEmpty
                ? token.since : history.remember(present, of: tracked.text)
        }
        guard let until = token.until else {
            throw ServiceError(410, "the result has grown too large to be tracked: read it again")
        }
        guard token.offset <= difference.count else {
            throw ServiceError(400, "the $deltatoken is not one that this request was given")
        }
        if let count = try page.count(difference.count) { return count }
        let end = token.offset + min(difference.count - token.offset, token.size ?? .max)
        let items = try items(difference, token.offset..<end, at: path, page, format)
        return page.answer(items, to: token, end: end, of: difference.count, until: until)
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

    /// The items of a page: what is gone first, since its keys may have been given again.
    private func items(
        _ difference: AnswerState.Difference,
        _ range: Range<Int>,
        at path: EntityPath,
        _ page: DeltaPage,
        _ format: AnswerFormat
    ) throws -> [UInt8] {
        let gone = difference.removed.count
        let link = EntityLink(read.rows)
        var parts: [[UInt8]] = []
        for (row, url) in difference.removed[range.clamped(to: 0..<gone)] {
            // The row may have got another key, or be another entity's by now.
            let present = try link.link(RowReference(source: path.source, row: row))
            parts.append(page.removed(url, present == url ? .changed : .deleted))
        }
        let rows = range.clamped(to: gone..<difference.count).map { difference.changed[$0 - gone] }
        if !rows.isEmpty {
            let answer = try read.query.entities(
                path,
                options: page.shape,
                among: rows,
                format: format
            )
            if !answer.entities.isEmpty { parts.append(answer.entities) }
        }
        return Array(parts.joined(separator: ",".utf8))
    }
}
