import ODataValues
import ODataSQL
import ODataBinding
import ODataPayload
import ODataSQLite
import ODataModel

/// Writes all that stands in the JSON object of a row besides expanded levels.
struct RowObjectWriter {
    private let query: TableQuery
    private let plan: LevelPlan
    private let control: Control
    /// Whether every row states its type, not only those of derived types.
    private let isNamed: Bool
    private let hasLinks: Bool
    /// What links are made of, where each row has some.
    private let levelLinks: LevelLinks?
    private let hasNavigation: Bool
    /// Whether each entity states the links that `$select` names, and no others.
    private let hasSelectedLinks: Bool
    /// Whether each entity states the links of its streams.
    private let hasMediaLinks: Bool
    private let isData: Bool
    private let showsLocalETags: Bool
    /// Whether relatives have states that the rows show.
    private let hasRelatives: Bool
    /// Makes strings of wide numbers among the dynamic properties, where the client asks for that.
    private let numbers: WideNumbers?
    private let dynamic: Dynamic
    /// Whether rows that are no entities of a set say so.
    private let isMarkedTransient: Bool
    /// Whether dynamic properties state their types.
    private let showsTypes: Bool

    /// Which control information each row has.
    private enum Control {
        /// None: rows are no entities.
        case grouped
        case none
        /// The states of entities alone.
        case states
        case annotations
        case verbose
    }

    /// Which members without a column are written.
    private enum Dynamic {
        case all
        /// Those of the names, with what is selected of their values.
        case named([String], [String: MemberSelection])
    }

    init(_ query: TableQuery, plan: LevelPlan) {
        self.query = query
        self.plan = plan
        let format = plan.format
        control =
            plan.statement.isGrouped
            ? .grouped
            : format.isVerbose
                ? .verbose
                : format.metadata != .none ? .annotations : format.showsStates ? .states : .none
        isNamed = format.metadata == .full || format.isMixed
        hasLinks = format.hasLinks
        numbers =
            format.isIEEE754Compatible
            ? WideNumbers(
                TypeReference(.structured(plan.statement.table.entityType)),
                in: plan.layout.model
            ) : nil
        isMarkedTransient = format.marksTransient && format.metadata != .none
        (isData, showsLocalETags) = (format.isData, format.showsLocalETags)
        hasRelatives = !query.relatives.isEmpty && plan.statement.idsIndex == nil
        showsTypes = format.version.isV4 && format.metadata != .none
        hasMediaLinks = format.version.isV4 && format.metadata == .full && !format.isData
        hasNavigation = (format.isVerbose || format.metadata == .full) && !format.isData
        hasSelectedLinks =
            !plan.options.linked.isEmpty && format.version.isV4 && format.metadata == .minimal
            && !format.isData
        levelLinks =
            hasLinks || hasSelectedLinks || plan.isReference
            ? LevelLinks(plan.statement, query: query, format: format) : nil
        dynamic =
            switch plan.options.select {
            case .everything: .all
            case .paths(let paths): .named(paths.compactMap(\.first), Self.selections(paths))
            }
    }

    /// What is selected of the values of dynamic properties, those that are selected as a whole left out.
    private static func selections(_ paths: [[String]]) -> [String: MemberSelection] {
        let below = Dictionary(grouping: paths.filter { !$0.isEmpty }) { $0[0] }
        return below.compactMapValues { MemberSelection($0.map { Array($0.dropFirst()) }) }
    }

    /// The ETag of a row with local changes, where the answer is to show it.
    func localETag(of row: SQLiteStatement) throws -> String? {
        guard showsLocalETags, control != .grouped else { return nil }
        return try LocalETag.text(ofChanged: row, in: plan.statement.table, query.connection)
    }

    /// Writes the members of the row that a statement stands on.
    func members(
        of row: SQLiteStatement,
        localETag: String?,
        to writer: inout JSONWriter
    ) throws {
        if plan.isReference { return try reference(to: row, in: &writer) }
        let code = row.integer(SelectStatement.place(of: .type))
        let shape = plan.shape(of: code)
        if control == .grouped {
            if isMarkedTransient {
                writer.name("@odata.id")
                writer.null()
            }
            return RowWriter(row).write(shape, to: &writer)
        }
        let source = RowWriter(
            row,
            localETag: localETag,
            relatives: hasRelatives ? relatives(of: row) : [],
            isData: isData
        )
        let links = try levelLinks.map { try RowLinks(row, of: $0) }
        writeControl(
            source,
            isDerived: code != 0,
            shape: shape,
            links: hasLinks ? links : nil,
            to: &writer
        )
        source.write(shape, to: &writer)
        if hasSelectedLinks { links?.writeLinked(of: shape.type, plan.options, to: &writer) }
        if hasNavigation { links?.writeNavigation(of: shape.type, plan.options, to: &writer) }
        if hasMediaLinks {
            links?.writeMedia(of: shape.type, plan.options.select, of: source, to: &writer)
        }
        switch dynamic {
        case .all where showsTypes && numbers == nil: source.dynamicMembers(to: &writer)
        case .all:
            source.dynamicMembers(named: nil, withTypes: showsTypes, numbers: numbers, to: &writer)
        case .named(let names, let selections):
            source.dynamicMembers(
                named: names,
                selections: selections,
                withTypes: showsTypes,
                numbers: numbers,
                to: &writer
            )
        }
    }

    /// An entity reference has the entity-id and nothing else (OData JSON 4.01 § 14).
    func reference(to row: SQLiteStatement, in writer: inout JSONWriter) throws {
        if RowWriter(row).ownID(to: &writer) { return }
        let level =
            levelLinks ?? LevelLinks(plan.statement, query: query, format: plan.format)
        try RowLinks(row, of: level).writeID(to: &writer)
    }

    private func relatives(of row: SQLiteStatement) -> RowState {
        query.relatives[row.integer(SelectStatement.place(of: .id))] ?? .plain
    }

    private func writeControl(
        _ source: RowWriter,
        isDerived: Bool,
        shape: RowShape,
        links: RowLinks?,
        to writer: inout JSONWriter
    ) {
        switch control {
        case .grouped, .none: break
        case .states: source.states(to: &writer)
        case .verbose:
            source.verboseControl(
                typeName: shape.typeName,
                isMedia: query.layout.model[shape.type].hasStream,
                uri: links?.uri,
                to: &writer
            )
        case .annotations:
            if let context = plan.format.entityContext {
                writer.name("@odata.context")
                writer.string(context)
            }
            source.control(typeName: isDerived || isNamed ? shape.typeName : nil, to: &writer)
            // An entity created here has its links in the row.
            if let links, !source.hasOwnLinks { links.writeIDs(to: &writer) }
        }
    }
}
