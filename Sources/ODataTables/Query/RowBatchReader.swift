import ODataSQL
package import ODataBinding
import ODataSQLite
import ODataValues
import ODataModel

/// Copies the rows of one level into a batch, to which what it holds is moved in the end.
struct RowBatchReader: ~Copyable {
    let plan: LevelPlan
    private(set) var cells: [RowBatch.Cell] = []
    private(set) var texts: [UInt8] = []
    /// The shape of the first row, and of rows of other types by their codes.
    private(set) var shape: RowShape?
    private(set) var shapes: [Int64: RowShape] = [:]
    private(set) var objects: [Int: [UInt8]] = [:]
    private(set) var count = 0
    /// Ids of the rows.
    private(set) var ids: [Int64] = []
    /// States of relatives by row, where they are shown.
    var relatives: [Int64: RowState] = [:]
    /// Positions of the rows' parents, on levels that have any.
    private(set) var parents: [Int] = []
    private var lastCode: Int64?
    /// How many members the rows have before their properties; nil where not all have as many.
    private(set) var commonHeadCount: Int?

    private static let dynamic = SelectStatement.place(of: .dynamic)
    private static let control = SelectStatement.place(of: .control)
    private static let exact = SelectStatement.place(of: .exact)
    private static let state = SelectStatement.place(of: .state)
    private static let id = SelectStatement.place(of: .id)
    private static let type = SelectStatement.place(of: .type)
    private static let etag = SelectStatement.place(of: .etag)

    /// Rows for which room is made at most, before it is known how many there are.
    private static let firstRows = 256
    /// Bytes of a row's texts for which room is made at first.
    private static let firstTexts = 256

    init(_ plan: LevelPlan) {
        self.plan = plan
        let rows = min(plan.options.top ?? 1, Self.firstRows)
        cells.reserveCapacity(width * rows)
        ids.reserveCapacity(rows)
        texts.reserveCapacity(Self.firstTexts * rows)
    }

    /// Cells of a row.
    var width: Int { RowBatch.firstProperty + plan.unknown.count }

    /// Copies the row that a statement stands on.
    mutating func append(_ row: SQLiteStatement, query: @autoclosure () -> TableQuery) throws {
        let code = row.integer(Self.type)
        noteType(code)
        let first = cells.count
        let isKnown = Self.append(
            row,
            code: code,
            unknown: plan.unknown,
            to: &cells,
            texts: &texts
        )
        noteHeadCount(of: first)
        if !isKnown || holdsMore(row) { try keepObject(row, query: query()) }
        ids.append(row.integer(Self.id))
        if plan.statement.idsIndex != nil {
            parents.append(Int(row.integer(SelectStatement.parentColumn)))
        }
        count += 1
    }

    /// Copies the cells of a row into room made once for all; answers whether all properties are known.
    private static func append(
        _ row: SQLiteStatement,
        code: Int64,
        unknown: [StorageClass],
        to cells: inout [RowBatch.Cell],
        texts: inout [UInt8]
    ) -> Bool {
        var isKnown = true
        cells.append(addingCapacity: RowBatch.firstProperty + unknown.count) { output in
            output.append(RowBatch.Cell(storage: .integer, length: 0, bits: code))
            output.append(cell(row.value(etag), to: &texts))
            output.append(cell(row.value(exact), to: &texts))
            var column = SelectStatement.firstProperty
            for storage in unknown {
                let cell = cell(row.value(column), to: &texts)
                if cell.storage == storage { isKnown = false }
                output.append(cell)
                column += 1
            }
        }
        return isKnown
    }

    /// Copies a value, the bytes of a text or blob behind the others.
    @inline(__always)
    private static func cell(_ value: ColumnValue, to texts: inout [UInt8]) -> RowBatch.Cell {
        let storage = value.storage
        let start = texts.count
        var bits = Int64(start)
        switch storage {
        case .null: break
        case .integer: bits = value.integer
        case .real: bits = Int64(bitPattern: value.real.bitPattern)
        case .text: value.withText { texts.append(bytes: $0) }
        case .blob: value.withBlob { texts.append(bytes: $0) }
        }
        let length = Int32(truncatingIfNeeded: texts.count - start)
        return RowBatch.Cell(storage: storage, length: length, bits: bits)
    }

    /// Notes how many members a row has before its properties.
    private mutating func noteHeadCount(of first: Int) {
        let headCount = RowBatch.headCount(cells, at: first)
        if count == 0 {
            commonHeadCount = headCount
        } else if headCount != commonHeadCount {
            commonHeadCount = nil
        }
    }

    private mutating func noteType(_ code: Int64) {
        guard code != lastCode else { return }
        let found = plan.shape(of: code)
        if shape == nil { shape = found }
        if found !== shape || !shapes.isEmpty { shapes[code] = found }
        lastCode = code
    }

    private func holdsMore(_ row: SQLiteStatement) -> Bool {
        row.integer(Self.state) != 0 || !row.isNull(Self.dynamic) || !row.isNull(Self.control)
            || !relatives.isEmpty && relatives[row.integer(Self.id)] != nil
    }

    private mutating func keepObject(_ row: SQLiteStatement, query: TableQuery) throws {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        let source = RowObjectWriter(query, plan: plan)
        try source.members(of: row, localETag: source.localETag(of: row), to: &json)
        json.endObject()
        objects[count] = json.bytes
    }
}

extension TableQuery {
    /// Returns the entities that a path reaches as values; nil where the options ask for more than entities with their properties,
    /// for which there is the answer as JSON.
    package func batch(_ path: EntityPath, options: BoundOptions, known: KnownRequest? = nil)
        throws -> RowBatch?
    {
        if let known, members == nil, !showsRelatives,
            let ahead = plans?.takeReadAhead(of: known)
        {
            return ahead
        }
        guard let (plan, bindings) = try valuePlan(path, options: options, knowing: known) else {
            return nil
        }
        if let ahead = plans?.takeReadAhead(plan, key: bindings) { return ahead }
        return try showingRelatives(of: path).batch(plan, bindings: bindings, depth: 0).batch
    }

    /// Reads a level and those below.
    private func batch(_ plan: LevelPlan, bindings: [Scalar], depth: Int) throws
        -> (batch: RowBatch, parents: [Int])
    {
        guard depth <= LevelWriter.maximumDepth else { throw QueryError.tooManyLevels }
        var reader = RowBatchReader(plan)
        if depth == 0 { reader.relatives = relatives }
        try plan.read(self, bindings: bindings) { row in
            try reader.append(row, query: self)
            return true
        }
        var nested: [RowBatch.Nested] = []
        if !reader.ids.isEmpty, !plan.options.expand.isEmpty {
            let parents = ParentPositions(reader.ids)
            nested = try plan.options.expand.indices.map {
                var item = try self.nested(plan, at: $0, parents: parents, depth: depth)
                item.holder = plan.holder(of: $0)
                return item
            }
        }
        let parents = reader.parents
        return (RowBatch(reader, nested: nested, in: layout), parents)
    }

    private func nested(
        _ plan: LevelPlan,
        at index: Int,
        parents: ParentPositions,
        depth: Int
    ) throws -> RowBatch.Nested {
        let property = layout.model[plan.options.expand[index].navigation]
        guard let below = try plan.below(index, query: self) else {
            return .init(
                property,
                batch: .init(.init(plan), nested: [], in: layout),
                parents: parents,
                parentsOfRows: []
            )
        }
        let bindings = below.statement.bindings(ids: parents.ids)
        let level = try batch(below, bindings: bindings, depth: depth + 1)
        return .init(property, batch: level.batch, parents: parents, parentsOfRows: level.parents)
    }
}

extension RowBatch.Nested {
    fileprivate init(
        _ property: NavigationProperty,
        batch: RowBatch,
        parents: ParentPositions,
        parentsOfRows: [Int]
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
