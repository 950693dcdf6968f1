import ODataModel
import ODataProtocol

/// Writes the rows of one level as JSON objects and hangs the expanded levels into them.
///
/// Each row lies in `writer` as an object of its own properties. A level of an expand is read by one statement for all parents and
/// written the same way; only `joined` puts nested levels into the objects of their parents.
struct LevelWriter {
    /// A row written to the buffer.
    struct Row {
        var id: Int64
        var parent: Int64
        /// Where its members lie in the buffer, without braces.
        var members: Range<Int>
    }

    /// An expanded navigation property: the level of its targets, grouped by parent.
    struct Nested {
        var name: String
        var isCollection: Bool
        var shape: BoundExpand.Shape
        var level: LevelWriter
        var rowsByParent: [Int64: [Int]]
        var counts: [Int64: Int64]?
        var isVerbose: Bool
    }

    private let query: TableQuery
    private let format: AnswerFormat
    private var writer = JSONWriter()
    private(set) var rows: [Row] = []
    /// The ETag of the first row.
    private(set) var firstETag: String?
    private var counts: [Int64: Int64] = [:]
    private var nested: [Nested] = []
    /// What is written of rows, by the code of their type.
    private(set) var shapes: [Int64: RowShape] = [:]

    /// Expands nested deeper than this are refused.
    static let maximumDepth = 32

    init(_ query: TableQuery, format: AnswerFormat, shapes: [Int64: RowShape] = [:]) {
        self.query = query
        self.format = format
        self.shapes = shapes
    }

    /// Writes the members of the row that a statement stands on.
    mutating func write(
        _ row: SQLiteStatement,
        _ statement: SelectStatement,
        _ options: BoundOptions
    ) throws {
        let code = row.integer(SelectStatement.place(of: .type))
        let shape = shape(code, statement)
        writer.beginObject()
        let start = writer.bytes.count
        let source = RowWriter(row)
        if statement.isGrouped {
            source.write(shape.pieces, to: &writer)
            let end = writer.bytes.count
            writer.endObject()
            return rows.append(Row(id: 0, parent: 0, members: start..<end))
        }
        let links = format.hasLinks ? try RowLinks(row, statement, query, format) : nil
        if format.isVerbose {
            source.verboseControl(typeName: shape.typeName, uri: links?.uri, to: &writer)
        } else if format.metadata != .none {
            let isNamed = code != 0 || format.metadata == .full || format.isMixed
            source.control(typeName: isNamed ? shape.typeName : nil, to: &writer)
            links?.writeIDs(to: &writer)
        }
        source.write(shape.pieces, to: &writer)
        if format.isVerbose || format.metadata == .full {
            links?.writeNavigation(of: shape.type, options, to: &writer)
        }
        switch options.select {
        case .everything: source.dynamicMembers(to: &writer)
        case .paths(let paths):
            source.dynamicMembers(named: paths.compactMap(\.first), to: &writer)
        }
        let end = writer.bytes.count
        writer.endObject()
        if rows.isEmpty { firstETag = row.optionalString(SelectStatement.place(of: .etag)) }
        let parent = row.integer(SelectStatement.parentColumn)
        rows.append(
            Row(
                id: row.integer(SelectStatement.place(of: .id)),
                parent: parent,
                members: start..<end
            )
        )
        if options.count, !row.isNull(SelectStatement.countColumn) {
            counts[parent] = row.integer(SelectStatement.countColumn)
        }
    }

    private mutating func shape(
        _ code: Int64,
        _ statement: SelectStatement
    ) -> RowShape {
        if let shape = shapes[code] { return shape }
        if statement.isGrouped {
            let made = RowShape(grouped: statement, in: query.layout.model, format: format)
            shapes[code] = made
            return made
        }
        let types = statement.table.types
        let type = types.indices.contains(Int(code)) ? types[Int(code)] : statement.table.entityType
        let made = RowShape(
            type,
            of: statement,
            in: query.layout.model,
            format: format
        )
        shapes[code] = made
        return made
    }

    /// Reads and writes the expanded levels of all rows.
    mutating func expand(
        _ options: BoundOptions,
        _ table: TableLayout,
        _ format: AnswerFormat,
        depth: Int = 0
    ) throws {
        guard !options.expand.isEmpty else { return }
        guard depth < Self.maximumDepth else {
            throw QueryError(
                .limitExceeded,
                "$expand is nested deeper than \(Self.maximumDepth) levels"
            )
        }
        let ids = "[" + rows.map { String($0.id) }.joined(separator: ",") + "]"
        for expand in options.expand {
            nested.append(try read(expand, of: table, ids: ids, depth: depth))
        }
    }

    private func read(
        _ expand: BoundExpand,
        of table: TableLayout,
        ids: String,
        depth: Int
    ) throws -> Nested {
        let property = query.layout.model[expand.navigation]
        var level = LevelWriter(query, format: format)
        if expand.target != nil, !rows.isEmpty {
            let statement = try query.compiler().expand(expand, of: table, ids: ids)
            try query.read(statement) { row in
                try level.write(row, statement, expand.options)
                return true
            }
            try level.expand(
                expand.nextOptions(reached: level.rows.count, in: query.layout.model),
                statement.table,
                format,
                depth: depth + 1
            )
        }
        return Nested(
            name: property.name,
            isCollection: property.isCollection,
            shape: expand.shape,
            rowsByParent: Dictionary(grouping: level.rows.indices) { level.rows[$0].parent },
            counts: expand.options.count ? level.counts : nil,
            level: level,
            isVerbose: format.isVerbose
        )
    }
}

extension LevelWriter.Nested {
    fileprivate init(
        name: String,
        isCollection: Bool,
        shape: BoundExpand.Shape,
        rowsByParent: [Int64: [Int]],
        counts: [Int64: Int64]?,
        level: LevelWriter,
        isVerbose: Bool
    ) {
        self.init(
            name: name,
            isCollection: isCollection,
            shape: shape,
            level: level,
            rowsByParent: rowsByParent,
            counts: counts,
            isVerbose: isVerbose
        )
    }
}

extension BoundExpand {
    /// The options of the level below: with `$levels`, the same expand once less, where the targets have the property too.
    fileprivate func nextOptions(reached count: Int, in model: EdmModel) -> BoundOptions {
        var options = options
        guard let levels = options.levels, levels > 1, count > 0,
            let type = cast ?? model[navigation].target,
            model.navigationProperty(model[navigation].name, of: type) == navigation
        else { return options }
        var again = self
        again.options.levels = levels == .max ? .max : levels - 1
        options.expand.append(again)
        return options
    }
}

// MARK: - Putting together

extension LevelWriter {
    /// The objects of all rows, separated by commas.
    mutating func joined() -> [UInt8] {
        // Without nested levels the buffer is the answer already.
        guard !nested.isEmpty else { return writer.takeBytes() }
        var output: [UInt8] = []
        output.reserveCapacity(writer.bytes.count + rows.count * 2)
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
    private func append(_ index: Int, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        let row = rows[index]
        output += writer.bytes[row.members]
        var isFirst = row.members.isEmpty
        for item in nested {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            item.append(for: row.id, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension LevelWriter.Nested {
    /// Appends the member of this navigation property for one parent.
    fileprivate func append(for parent: Int64, to output: inout [UInt8]) {
        let children = rowsByParent[parent] ?? []
        if let counts {
            output += "\"\(name)@odata.count\":\(counts[parent] ?? 0)".utf8
            if shape == .count { return }
            output.append(UInt8(ascii: ","))
        }
        output += "\"\(name)\":".utf8
        guard isCollection else {
            guard let child = children.first else { return output += "null".utf8 }
            return level.append(child, to: &output)
        }
        if isVerbose { output += "{\"results\":".utf8 }
        output.append(UInt8(ascii: "["))
        for (position, child) in children.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            level.append(child, to: &output)
        }
        output.append(UInt8(ascii: "]"))
        if isVerbose { output.append(UInt8(ascii: "}")) }
    }
}
