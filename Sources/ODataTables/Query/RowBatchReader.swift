import ODataModel
package import ODataProtocol

/// Copies the rows of one level into a batch.
struct RowBatchReader {
    let model: EdmModel
    let source: NavigationSource
    let width: Int
    private(set) var cells: [RowBatch.Cell] = []
    private(set) var texts: [UInt8] = []
    private(set) var shapes: [Int64: RowShape] = [:]
    private(set) var objects: [Int: [UInt8]] = [:]
    private(set) var ids: [Int64] = []
    private(set) var parents: [Int] = []
    private let plan: LevelPlan
    private let writer: RowObjectWriter
    /// For each property the storage class of values not known here.
    private let unknown: [StorageClass]
    private var lastCode: Int64?

    /// Columns that are not null where a row holds more than values.
    private static let rare: [Int] = [.exact, .dynamic, .control].map(SelectStatement.place(of:))
    private static let state = SelectStatement.place(of: .state)
    private static let id = SelectStatement.place(of: .id)
    private static let type = SelectStatement.place(of: .type)
    private static let etag = SelectStatement.place(of: .etag)

    init(_ query: TableQuery, _ plan: LevelPlan) {
        self.plan = plan
        model = query.layout.model
        source = plan.statement.table.source
        writer = RowObjectWriter(query, plan)
        let columns = plan.statement.places.map { plan.statement.table.columns[$0] }
        unknown = columns.map { $0.affinity == "BLOB" ? .text : .blob }
        width = RowBatch.firstProperty + columns.count
    }

    /// Copies the row that a statement stands on.
    mutating func append(_ row: SQLiteStatement) throws {
        let code = row.integer(Self.type)
        if code != lastCode {
            shapes[code] = plan.shape(of: code)
            lastCode = code
        }
        appendCell(row, Self.type)
        appendCell(row, Self.etag)
        var isKnown = true
        for offset in unknown.indices {
            let storage = appendCell(row, SelectStatement.firstProperty + offset)
            if storage == unknown[offset] { isKnown = false }
        }
        if !isKnown || holdsMore(row) { try keepObject(row) }
        ids.append(row.integer(Self.id))
        parents.append(Int(row.integer(SelectStatement.parentColumn)))
    }

    private func holdsMore(_ row: SQLiteStatement) -> Bool {
        row.integer(Self.state) != 0 || Self.rare.contains { !row.isNull($0) }
    }

    private mutating func keepObject(_ row: SQLiteStatement) throws {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        try writer.members(of: row, to: &json)
        json.endObject()
        objects[ids.count] = json.bytes
    }

    @discardableResult
    private mutating func appendCell(_ row: SQLiteStatement, _ column: Int) -> StorageClass {
        let storage = row.storageClass(column)
        let start = texts.count
        var bits = Int64(start)
        switch storage {
        case .null: break
        case .integer: bits = row.integer(column)
        case .real: bits = Int64(bitPattern: row.real(column).bitPattern)
        case .text: row.withText(column) { texts.append(bytes: $0) }
        case .blob: row.withBlob(column) { texts.append(bytes: $0) }
        }
        cells.append(
            RowBatch.Cell(
                storage: storage,
                length: Int32(truncatingIfNeeded: texts.count - start),
                bits: bits
            )
        )
        return storage
    }
}

extension TableQuery {
    /// Returns the entities that a path reaches as values; nil where the options ask for more than entities with their properties,
    /// for which there is the answer as JSON.
    package func batch(_ path: EntityPath, _ options: BoundOptions, known: KnownRequest? = nil)
        throws -> RowBatch?
    {
        guard let (plan, bindings) = try valuePlan(path, options, known) else { return nil }
        return try batch(plan, bindings, depth: 0).batch
    }

    /// Reads a level and those below.
    private func batch(_ plan: LevelPlan, _ bindings: [Scalar], depth: Int) throws
        -> (batch: RowBatch, parents: [Int])
    {
        guard depth <= LevelWriter.maximumDepth else { throw QueryError.tooManyLevels }
        var reader = RowBatchReader(self, plan)
        try plan.read(self, bindings) { row in
            try reader.append(row)
            return true
        }
        var nested: [RowBatch.Nested] = []
        if !reader.ids.isEmpty, !plan.options.expand.isEmpty {
            let parents = ParentPositions(reader.ids)
            nested = try plan.options.expand.indices.map {
                try self.nested(plan, $0, parents, depth: depth)
            }
        }
        return (RowBatch(reader, nested: nested), reader.parents)
    }

    private func nested(
        _ plan: LevelPlan,
        _ index: Int,
        _ parents: ParentPositions,
        depth: Int
    ) throws -> RowBatch.Nested {
        let property = layout.model[plan.options.expand[index].navigation]
        guard let below = try plan.below(index, self) else {
            return .init(property, .init(.init(self, plan), nested: []), parents, [])
        }
        let bindings = below.statement.bindings(ids: parents.ids)
        let level = try batch(below, bindings, depth: depth + 1)
        return .init(property, level.batch, parents, level.parents)
    }
}

extension RowBatch.Nested {
    fileprivate init(
        _ property: NavigationProperty,
        _ batch: RowBatch,
        _ parents: ParentPositions,
        _ parentsOfRows: [Int]
    ) {
        self.init(
            name: property.name,
            isCollection: property.isCollection,
            batch: batch,
            parents: parents,
            rows: parents.ranges(of: parentsOfRows)
        )
    }
}

extension [UInt8] {
    /// Appends the bytes of a span.
    fileprivate mutating func append(bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
