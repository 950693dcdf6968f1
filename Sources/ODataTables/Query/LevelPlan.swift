import ODataSQL
import ODataBinding
import ODataSQLite
import ODataValues
import ODataModel

/// One level of a request, translated once: its statement, the shapes of its rows, and the levels below.
///
/// It belongs to one connection, and to the model and the tables that it was made for.
package final class LevelPlan {
    let statement: SelectStatement
    /// What is asked of the level's entities, the levels below among it.
    let options: BoundOptions
    let format: AnswerFormat
    let layout: Layout
    /// Shapes by the code of the row's type.
    private(set) var shapes: [Int64: RowShape]
    /// Whether the rows are answered as entity references.
    private(set) var isReference = false
    private var last: (code: Int64, shape: RowShape)?
    private var compiled: SQLiteStatement?
    private var nested: [LevelPlan?]
    /// For each property selected, the storage class of values not known here.
    let unknown: [StorageClass]

    init(
        _ statement: SelectStatement,
        options: BoundOptions,
        in layout: Layout,
        format: AnswerFormat,
        shapes: [Int64: RowShape] = [:]
    ) {
        self.shapes = shapes
        self.statement = statement
        self.options = options
        self.format = format
        self.layout = layout
        nested = options.expand.map { _ in nil }
        unknown = statement.places.map { place in
            statement.table.columns[place].affinity == "BLOB" ? .text : .blob
        }
    }

    /// Returns the shape of rows whose type has a code.
    func shape(of code: Int64) -> RowShape {
        if let last, last.code == code { return last.shape }
        let shape = shapes[code] ?? makeShape(code)
        shapes[code] = shape
        last = (code, shape)
        return shape
    }

    private func makeShape(_ code: Int64) -> RowShape {
        if statement.isGrouped {
            return RowShape(grouped: statement, in: layout.model, format: format)
        }
        let types = statement.table.types
        let type = types.indices.contains(Int(code)) ? types[Int(code)] : statement.table.entityType
        let selections = selections
        func made() -> RowShape {
            RowShape(
                type,
                of: statement,
                in: layout.model,
                format: format,
                selections: selections
            )
        }
        guard statement.computed.isEmpty, statement.counted.isEmpty else { return made() }
        let key = ShapeCache.Key(
            source: statement.table.source,
            type: type,
            places: statement.places,
            selections: selections,
            format: format
        )
        return layout.shapes.shape(key, make: made)
    }

    /// What is selected of the values of columns that hold JSON, where it is not all.
    private var selections: [Int: MemberSelection] {
        guard case .paths(let paths) = options.select else { return [:] }
        var selections: [Int: MemberSelection] = [:]
        for place in statement.places where statement.table.columns[place].kind == .json {
            let column = statement.table.columns[place].path
            guard !paths.contains(where: { column.starts(with: $0) }) else { continue }
            let below = paths.filter { $0.starts(with: column) }
            selections[place] = MemberSelection(below.map { Array($0.dropFirst(column.count)) })
        }
        return selections
    }

    /// Returns the plan of an expanded level; nil where the navigation property leads nowhere.
    func below(_ index: Int, query: TableQuery) throws -> LevelPlan? {
        if let known = nested[index] { return known }
        let expand = options.expand[index].shaped
        guard expand.target != nil else { return nil }
        let made = LevelPlan(
            try query.compiler().expand(
                expand,
                of: statement.table,
                isFirst: statement.idsIndex == nil
            ),
            options: expand.optionsBelow(in: layout.model),
            in: layout,
            format: format
        )
        made.isReference = expand.shape == .references
        if !made.statement.isMomentary { nested[index] = made }
        return made
    }

    /// The type that an entity must have so that an expanded property is a part of it; nil where all of the level have it
    /// (OData 4.01 Part 2 § 5.1.3).
    func holder(of index: Int) -> StructuredTypeID? {
        // Names of properties have no dot.
        let casts = options.expand[index].prefix.prefix { $0.utf8.contains(UInt8(ascii: ".")) }
        guard let name = casts.last, let cast = layout.model.structuredType(named: name),
            !layout.model.type(statement.table.entityType, isOrExtends: cast)
        else { return nil }
        return cast
    }

    /// Steps through the level's rows until the function answers false.
    ///
    /// - Parameter bindings: Values of the parameters, where they are not those that the plan was made with.
    func read(
        _ query: TableQuery,
        bindings: [Scalar]? = nil,
        body: (SQLiteStatement) throws -> Bool
    ) throws {
        let prepared = try prepared(query)
        try query.bind(bindings ?? statement.bindings, to: prepared)
        defer { prepared.reset() }
        while try prepared.step() {
            guard try body(prepared) else { return }
        }
    }

    /// The statement of this plan as it is left from the last time; nil the first time, and while it is being stepped.
    func ready(_ connection: SQLiteConnection) -> SQLiteStatement? {
        guard let compiled, !compiled.isBusy else { return nil }
        connection.noteStart()
        return compiled
    }

    /// The statement of this plan, or another one of the same text while that is being stepped.
    func prepared(_ query: TableQuery) throws -> SQLiteStatement {
        if let ready = ready(query.connection) { return ready }
        let made = try query.statement(statement.sql)
        if compiled == nil { compiled = made }
        return made
    }
}

extension BoundExpand {
    /// The expand with the options that its shape means: of references the key alone is read, and a count is counted.
    fileprivate var shaped: BoundExpand {
        var expand = self
        switch shape {
        case .entities: break
        case .references: expand.options.select = .paths([])
        case .count: expand.options.count = true
        }
        return expand
    }

    /// The options of the entities reached: with `$levels`, the same expand once less, where they have the property too.
    fileprivate func optionsBelow(in model: EdmModel) -> BoundOptions {
        var options = options
        guard let levels = options.levels, levels > 1,
            let type = cast ?? model[navigation].target,
            model.navigationProperty(model[navigation].name, of: type) == navigation
        else { return options }
        var again = self
        again.options.levels = levels == .max ? .max : levels - 1
        options.expand.append(again)
        return options
    }
}
