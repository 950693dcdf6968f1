import ODataText
import ODataBinding
import ODataAnswers
import ODataModel
import ODataHTTP
import ODataTables

/// Gives delta links and answers them (OData 4.01 Part 1 § 11.3).
struct DeltaAnswer: DeltaAnswering {
    let read: ReadAnswer
    private var context: ServiceContext { read.context }
    private var log: ChangeLog { ChangeLog(read.query.connection) }

    /// The last change that the present state holds; nil where changes of the path are not tracked.
    func watermark(of path: EntityPath, _ options: BoundOptions) throws -> Int64? {
        guard context.version.isV4, case .entitySet = path.source,
            path.steps.allSatisfy(\.isCast), isTrackable(options, depth: 0), try log.exists
        else { return nil }
        guard case .entitySet(let index) = path.source,
            read.model.isChangeTracked(read.model.container.entitySets[index]) ?? true
        else { return nil }
        return try log.lastSequence()
    }

    /// Whether the changes of entities tell those of the result: not where related entities decide which belong to it, or where rows
    /// are no entities.
    private func isTrackable(_ options: BoundOptions, depth: Int) -> Bool {
        guard options.top == nil, options.skip == nil, options.apply.isEmpty,
            options.filter?.isOfEntityAlone != false,
            options.compute.allSatisfy(\.expression.isOfEntityAlone)
        else { return false }
        // In version 4.0 related entities stand in the list themselves: none could be told from those of entities that are not in the
        // result, and there is no way to say that one does not meet a condition any more.
        let hasCondition = options.filter != nil || options.search != nil
        let isFlat = context.version < .v401 && (depth > 0 || !options.expand.isEmpty)
        guard !isFlat || !hasCondition else { return false }
        return options.expand.allSatisfy { isTrackable($0.options, depth: depth + 1) }
    }

    /// The link to the changes after one.
    func link(since watermark: Int64) -> String {
        TrackedRequest(context).link(DeltaToken(since: watermark))
    }

    // MARK: Changes

    /// Answers a delta link.
    func changes(
        of path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse {
        let delta = DeltaPage(read, of: path, options: options, format: format)
        var token = try delta.token(isTracked: watermark(of: path, options) != nil)
        guard try token.since >= log.forgottenSequence() else {
            throw ServiceError(410, "the delta link is too old: read the whole result again")
        }
        let last = try log.lastSequence()
        let until = min(token.until ?? last, last)
        guard token.since <= until else {
            throw ServiceError(
                410,
                "the delta link is of another history: read the whole result again"
            )
        }
        if token.until == nil { token.size = read.pageSize }
        let items = DeltaItems(
            query: read.query,
            log: log,
            isFlat: format.version == .v4,
            range: token.since...until
        )
        let all = try items.items(of: path.source, options)
        if let count = try delta.count(all.count) { return count }
        let page = all.dropFirst(token.offset).prefix(token.size ?? .max)
        let writer = DeltaWriter(read: read, path: path, page: delta, format: format, items: items)
        return delta.answer(
            try writer.json(page),
            to: token,
            end: token.offset + page.count,
            of: all.count,
            until: until
        )
    }
}
