import ODataValues
import ODataBinding
import ODataSQLite
import ODataSQL
import ODataModel

/// Writes the rows of one level as JSON objects and hangs the expanded levels into them.
///
/// Each row lies in `writer` as an object of its own properties. A level of an expand is read by one statement for all parents and
/// written the same way; only `joined` puts nested levels into the objects of their parents.
struct LevelWriter {
    /// A row written to the buffer.
    struct Row {
        var id: Int64
        /// Code of its type.
        var type: Int64 = 0
        /// Position of its parent among those of the level above.
        var parent: Int
        /// Where its members lie in the buffer, without braces.
        var members: Range<Int>
        /// Where the members of a reference to it lie; nil where none may be needed.
        var reference: Range<Int>?
    }

    /// An expanded navigation property: the level of its targets, grouped by parent.
    struct Nested {
        var name: String
        var isCollection: Bool
        var shape: BoundExpand.Shape
        var level: LevelWriter
        var parents: ParentPositions
        /// The rows of each parent.
        var rows: [Range<Int>]
        var counts: [Int: Int64]?
        var isVerbose: Bool
        /// Whether the count is a string, as 64-bit numbers are for clients that read them as doubles (`IEEE754Compatible`).
        var isCountQuoted: Bool
        /// Whether entities that stand above are answered as references: those of `$levels=max`.
        var endsAtAncestors: Bool
        /// For each row of the level above whether the property is a part of it; nil where it is of all.
        var isPart: [Bool]?
    }

    private let query: TableQuery
    private let plan: LevelPlan
    private let source: RowObjectWriter
    private var writer: JSONWriter
    private(set) var rows: [Row] = []
    /// The ETag of the first row.
    private(set) var firstETag: String?
    private var counts: [Int: Int64] = [:]
    private var nested: [Nested] = []
    /// The ways to the rows, where `$levels=max` is among the expands.
    private var paths: ExpandedPaths?
    /// Whether the rows may have to be answered as references.
    private var hasReferences = false

    /// Expands nested deeper than this are refused.
    static let maximumDepth = 32

    init(_ query: TableQuery, plan: LevelPlan) {
        self.query = query
        self.plan = plan
        source = RowObjectWriter(query, plan: plan)
        writer = JSONWriter()
    }

    /// Writes the members of the row that a statement stands on.
    mutating func write(_ row: SQLiteStatement) throws {
        guard isOnPage(row) else { return noteCount(row) }
        let localETag = try source.localETag(of: row)
        writer.beginObject()
        let start = writer.count
        try source.members(of: row, localETag: localETag, to: &writer)
        let end = writer.count
        writer.endObject()
        if plan.statement.isGrouped {
            return rows.append(Row(id: 0, parent: 0, members: start..<end))
        }
        if rows.isEmpty { firstETag = localETag ?? etag(of: row) }
        let parent = Int(row.integer(SelectStatement.parentColumn))
        rows.append(
            Row(
                id: row.integer(SelectStatement.place(of: .id)),
                type: row.integer(SelectStatement.place(of: .type)),
                parent: parent,
                members: start..<end,
                reference: hasReferences ? try writeReference(to: row) : nil
            )
        )
        noteCount(row)
    }

    /// Writes a reference to a row beside its object.
    private mutating func writeReference(to row: SQLiteStatement) throws -> Range<Int> {
        writer.beginObject()
        let start = writer.count
        try source.reference(to: row, in: &writer)
        defer { writer.endObject() }
        return start..<writer.count
    }

    private mutating func noteCount(_ row: SQLiteStatement) {
        guard plan.options.count, !row.isNull(SelectStatement.countColumn) else { return }
        let parent = Int(row.integer(SelectStatement.parentColumn))
        counts[parent] = row.integer(SelectStatement.countColumn)
    }

    /// Whether a row is among those asked for; another one comes for its count alone.
    private func isOnPage(_ row: SQLiteStatement) -> Bool {
        guard plan.statement.showsRanks else { return true }
        let skipped = Int64(plan.options.skip ?? 0)
        let rank = row.integer(plan.statement.rankColumn)
        return rank > skipped && (plan.options.top.map { rank - skipped <= $0 } ?? true)
    }

    /// The ETag that the service has given the row.
    private func etag(of row: SQLiteStatement) -> String? {
        let etag = row.optionalString(SelectStatement.place(of: .etag))
        return etag?.isEmpty ?? true ? nil : etag
    }

    /// Reads and writes the expanded levels of all rows.
    mutating func expand(depth: Int = 0) throws {
        guard !rows.isEmpty, !plan.options.expand.isEmpty else { return }
        if depth == 0, plan.options.hasUnlimitedLevels { paths = ExpandedPaths(rows.map(\.id)) }
        let open = paths?.open
        guard open?.isEmpty != true else { return }
        guard depth < Self.maximumDepth else { throw QueryError.tooManyLevels }
        let parents = ParentPositions(rows.map(\.id), open: open)
        for index in plan.options.expand.indices {
            nested.append(try read(index, parents: parents, depth: depth))
        }
    }

    private func read(_ index: Int, parents: ParentPositions, depth: Int) throws -> Nested {
        let expand = plan.options.expand[index]
        let property = query.layout.model[expand.navigation]
        let endsAtAncestors = expand.options.levels == .max
        var level = LevelWriter(query, plan: plan)
        if let below = try plan.below(index, query: query) {
            level = LevelWriter(query, plan: below)
            level.hasReferences = endsAtAncestors
            try below.read(query, bindings: below.statement.bindings(ids: parents.ids)) { row in
                try level.write(row)
                return true
            }
            level.paths = try extended(
                to: level,
                parents: parents,
                endsAtAncestors: endsAtAncestors
            )
            try level.expand(depth: depth + 1)
        }
        return Nested(
            name: property.name,
            isCollection: property.isCollection,
            shape: expand.shape,
            level: level,
            parents: parents,
            rows: parents.ranges(of: level.rows.map(\.parent)),
            counts: expand.options.count || expand.shape == .count ? level.counts : nil,
            isVerbose: plan.format.isVerbose,
            isCountQuoted: plan.format.isIEEE754Compatible,
            endsAtAncestors: endsAtAncestors,
            isPart: plan.holder(of: index).map { holder in
                rows.map {
                    query.layout.model.type(plan.shape(of: $0.type).type, isOrExtends: holder)
                }
            }
        )
    }

    /// The ways to the rows of a level below; nil where they need not be known.
    private func extended(
        to level: LevelWriter,
        parents: ParentPositions,
        endsAtAncestors: Bool
    ) throws -> ExpandedPaths? {
        guard let paths else { return nil }
        let ranges = parents.ranges(of: level.rows.map(\.parent))
        return try paths.extended(endsAtAncestors: endsAtAncestors) { id in
            parents.position(of: id).map { level.rows[ranges[$0]].map(\.id) } ?? []
        }
    }
}

extension BoundOptions {
    /// Whether an expand among these, at any depth, repeats itself as long as there are entities.
    fileprivate var hasUnlimitedLevels: Bool {
        expand.contains { $0.options.levels == .max || $0.options.hasUnlimitedLevels }
    }
}

extension QueryError {
    static let tooManyLevels = QueryError(
        .limitExceeded,
        "$expand is nested deeper than \(LevelWriter.maximumDepth) levels"
    )
}

// MARK: - Putting together

extension LevelWriter {
    /// The objects of all rows, separated by commas.
    mutating func joined() -> [UInt8] {
        // Without nested levels the buffer is the answer already.
        guard !nested.isEmpty else { return writer.takeBytes() }
        var output: [UInt8] = []
        output.reserveCapacity(writer.count + rows.count * 2)
        for index in rows.indices {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            append(index, to: &output)
        }
        return output
    }

    /// The objects of all rows by their ids.
    func objects() -> [Int64: [UInt8]] {
        var objects: [Int64: [UInt8]] = [:]
        for index in rows.indices {
            var bytes: [UInt8] = []
            append(index, to: &bytes)
            objects[rows[index].id] = bytes
        }
        return objects
    }

    /// Appends the object of one row.
    ///
    /// - Parameter above: The rows that it stands in.
    private func append(_ index: Int, to output: inout [UInt8], above: [Int64] = []) {
        output.append(UInt8(ascii: "{"))
        let row = rows[index]
        let way = nested.isEmpty ? above : above + [row.id]
        output += writer.bytes[row.members]
        var isFirst = row.members.isEmpty
        for item in nested where item.isPart?[index] ?? true {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            item.append(for: item.parents[index], to: &output, above: way)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends the object of one row, or a reference to it where it stands above already.
    fileprivate func append(
        _ index: Int,
        to output: inout [UInt8],
        above: [Int64],
        endsAtAncestors: Bool
    ) {
        let row = rows[index]
        guard endsAtAncestors, above.contains(row.id), let reference = row.reference else {
            return append(index, to: &output, above: above)
        }
        output.append(UInt8(ascii: "{"))
        output += writer.bytes[reference]
        output.append(UInt8(ascii: "}"))
    }
}

extension LevelWriter.Nested {
    /// Appends the member of this navigation property for one parent.
    fileprivate func append(for parent: Int, to output: inout [UInt8], above: [Int64]) {
        if let counts {
            let count = "\(counts[parent] ?? 0)"
            output += "\"\(name)@odata.count\":\(isCountQuoted ? "\"\(count)\"" : count)".utf8
            if shape == .count { return }
            output.append(UInt8(ascii: ","))
        }
        output += "\"\(name)\":".utf8
        guard isCollection else {
            guard let child = rows[parent].first else { return output += "null".utf8 }
            return append(child, to: &output, above: above)
        }
        if isVerbose { output += "{\"results\":".utf8 }
        output.append(UInt8(ascii: "["))
        for child in rows[parent] {
            if child > rows[parent].lowerBound { output.append(UInt8(ascii: ",")) }
            append(child, to: &output, above: above)
        }
        output.append(UInt8(ascii: "]"))
        if isVerbose { output.append(UInt8(ascii: "}")) }
    }

    private func append(_ child: Int, to output: inout [UInt8], above: [Int64]) {
        level.append(child, to: &output, above: above, endsAtAncestors: endsAtAncestors)
    }
}
