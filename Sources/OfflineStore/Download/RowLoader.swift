import ODataModel
import ODataProtocol
import ODataTables

/// Binds what a payload brings straight to INSERT statements: no object per row.
///
/// Each nesting level has a statement of its own, since a parent's row is still being bound while its expanded children come.
final class RowLoader: EntitySink {
    /// Where rows go and how they are numbered.
    struct Target {
        /// Values that every row gets.
        var system: [SystemColumn: Scalar]
        /// Takes a block of row ids and returns its first.
        var takeIDs: (_ count: Int) throws -> Int64
        /// Whether links and tombstones are kept beside the rows, for the merge.
        var keepsLinks: Bool
        /// The name under which a table is filled.
        var tableName: (_ name: String) -> String
    }

    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let target: Target
    private var statements: [Key: SQLiteStatement] = [:]
    private var frames: [Frame] = []
    private var nextID: Int64 = 1
    private var lastID: Int64 = 0
    /// Slots that the query did not ask for, by destination: their value is unknown, not null.
    private let unknownSlots: [Int: [Int]]
    /// Rows inserted so far.
    private(set) var rowCount = 0

    /// Ids are taken in blocks, so that the counter is written seldom.
    private static let idBlock = 4_096

    private struct Key: Hashable {
        var depth: Int
        var destination: Int
    }

    /// A row that is being bound.
    private struct Frame {
        var statement: SQLiteStatement
        var table: TableLayout
        var row: Int64
        var navigations: [NavigationPropertyID] = []
        var exact: [(String, String)] = []
        var undeclared: [(String, String)] = []
        var control: [(String, String)] = []
    }

    init(
        _ connection: SQLiteConnection,
        _ schema: TableSchema,
        _ target: Target,
        unknownSlots: [Int: [Int]] = [:]
    ) {
        self.connection = connection
        self.schema = schema
        self.target = target
        self.unknownSlots = unknownSlots
    }

    // MARK: Entities

    func beginEntity(_ plan: EntityPlan) throws {
        let source = schema.plans.source(of: plan)
        guard let table = schema.layout[source] else {
            throw StoreError(.invalid, "the payload has entities of a type that is not known")
        }
        let statement = try statement(
            Key(depth: frames.count, destination: plan.destination),
            table
        )
        statement.clearBindings()
        let row = try takeID()
        for (column, value) in target.system { try statement.bind(value, at: column.parameter) }
        try statement.bind(row, at: SystemColumn.id.parameter)
        try statement.bind(
            Int64(table.types.firstIndex(of: plan.type) ?? 0),
            at: SystemColumn.type.parameter
        )
        if target.system[.queries] == nil { try bindZeros(statement) }
        for slot in unknownSlots[plan.destination] ?? [] {
            try statement.bind(
                UnknownValue.scalar(in: table.columns[slot]),
                at: Self.parameter(slot)
            )
        }
        if let parent = frames.last, table.isContained {
            try statement.bind(parent.row, at: SystemColumn.parent.parameter)
        }
        frames.append(Frame(statement: statement, table: table, row: row))
    }

    private func bindZeros(_ statement: SQLiteStatement) throws {
        for column in [SystemColumn.queries, .state, .stamp] {
            try statement.bind(Int64(0), at: column.parameter)
        }
    }

    func type(_ plan: EntityPlan) throws {
        let table = frames[frames.count - 1].table
        try top.statement.bind(
            Int64(table.types.firstIndex(of: plan.type) ?? 0),
            at: SystemColumn.type.parameter
        )
    }

    func endEntity() throws {
        let frame = frames.removeLast()
        if !frame.exact.isEmpty {
            try frame.statement.bind(object(frame.exact), at: SystemColumn.exact.parameter)
        }
        if !frame.undeclared.isEmpty {
            try frame.statement.bind(
                rawObject(frame.undeclared),
                at: SystemColumn.dynamic.parameter
            )
        }
        if !frame.control.isEmpty {
            try frame.statement.bind(object(frame.control), at: SystemColumn.control.parameter)
        }
        try frame.statement.run()
        rowCount += 1
        guard target.keepsLinks, let parent = frames.last, let navigation = parent.navigations.last
        else {
            return
        }
        try link(navigation, parent.row, frame.row)
    }

    private var top: Frame { frames[frames.count - 1] }

    private func statement(_ key: Key, _ table: TableLayout) throws -> SQLiteStatement {
        if let statement = statements[key] { return statement }
        let made = try connection.prepare(
            RowEditor(connection, schema.layout).insertStatement(
                table,
                named: target.tableName(table.name)
            )
        )
        statements[key] = made
        return made
    }

    private func takeID() throws -> Int64 {
        if nextID > lastID {
            nextID = try target.takeIDs(Self.idBlock)
            lastID = nextID + Int64(Self.idBlock) - 1
        }
        defer { nextID += 1 }
        return nextID
    }

    // MARK: Values

    private static func parameter(_ slot: Int) -> Int { SystemColumn.allCases.count + slot + 1 }

    func null(_ slot: Int) throws { try top.statement.bindNull(at: Self.parameter(slot)) }

    func integer(_ value: Int64, _ slot: Int) throws {
        try top.statement.bind(value, at: Self.parameter(slot))
    }

    func real(_ value: Double, _ slot: Int) throws {
        try top.statement.bind(value, at: Self.parameter(slot))
    }

    func text(_ value: Span<UInt8>, _ slot: Int) throws {
        try top.statement.bind(text: value, at: Self.parameter(slot))
    }

    func blob(_ value: Span<UInt8>, _ slot: Int) throws {
        try top.statement.bind(blob: value, at: Self.parameter(slot))
    }

    func exact(_ text: Span<UInt8>, _ slot: Int) {
        frames[frames.count - 1].exact.append((top.table.columns[slot].name, String(text)))
    }

    func undeclared(_ name: Span<UInt8>, _ json: Span<UInt8>) {
        frames[frames.count - 1].undeclared.append((String(name), String(json)))
    }

    func control(_ information: EntityControl, _ value: Span<UInt8>) throws {
        if information == .etag {
            return try top.statement.bind(text: value, at: SystemColumn.etag.parameter)
        }
        guard let name = information.memberName else { return }
        frames[frames.count - 1].control.append((name, String(value)))
    }

    private func object(_ members: [(String, String)]) -> String {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        for (name, value) in members {
            writer.name(name)
            writer.string(value)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func rawObject(_ members: [(String, String)]) -> String {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        for (name, json) in members {
            writer.name(name)
            writer.raw(Array(json.utf8).span)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Navigation

    func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) throws {
        frames[frames.count - 1].navigations.append(navigation)
        // A link without target says that all links of this property have come, so that others can go.
        if target.keepsLinks, !isDelta { try link(navigation, top.row, nil) }
    }

    func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        frames[frames.count - 1].navigations.removeLast()
    }

    func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {}

    private func link(_ navigation: NavigationPropertyID, _ from: Int64, _ to: Int64?) throws {
        try connection.run(
            "INSERT INTO \(target.tableName("$links").sqlQuoted) VALUES (?1, ?2, ?3, ?4)",
            [
                .integer(Int64(navigation.type.index)), .integer(Int64(navigation.index)),
                .integer(from), Scalar(to),
            ]
        )
    }

    // MARK: Deltas

    func removed(id: Span<UInt8>, reason: RemovalReason) throws {
        guard target.keepsLinks else { return }
        try connection.run(
            "INSERT INTO \(target.tableName("$removed").sqlQuoted) VALUES (?1, ?2, ?3)",
            [.integer(takeID()), .text(String(id)), .text(reason.rawValue)]
        )
    }

    func link(_ change: LinkChange) throws {
        guard target.keepsLinks else { return }
        try connection.run(
            "INSERT INTO \(target.tableName("$linkchange").sqlQuoted) VALUES (?1, ?2, ?3, ?4, ?5)",
            [
                .integer(takeID()), .integer(change.isAdded ? 1 : 0), .text(change.source),
                .text(change.relationship), Scalar(change.target),
            ]
        )
    }
}

extension SystemColumn {
    /// The column's parameter in statements that insert whole rows.
    fileprivate var parameter: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}

extension EntityControl {
    /// The member that keeps the information with the row; nil for what is conventional or has a column of its own.
    fileprivate var memberName: String? {
        switch self {
        case .id, .etag, .editLink, .readLink: nil
        case .mediaReadLink: "@odata.mediaReadLink"
        case .mediaEditLink: "@odata.mediaEditLink"
        case .mediaContentType: "@odata.mediaContentType"
        case .mediaETag: "@odata.mediaEtag"
        }
    }
}
