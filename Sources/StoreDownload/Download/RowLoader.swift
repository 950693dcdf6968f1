import ODataSQL
import ODataValues
import ODataSQLite
import StoreRecords
import ODataModel
import ODataPayload
import ODataAnswers
import ODataTables

/// Binds what a payload brings straight to INSERT statements: no object per row.
///
/// Each nesting level has a statement of its own, since a parent's row is still being bound while its expanded children come.
struct RowLoader: PlainEntitySink {
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
        /// Makes a table that the query was not expected to fill, such as that of another set in a delta.
        var ensureTable: (_ table: TableLayout) throws -> Void = { _ in }
    }

    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let target: Target
    /// Whether the payload is a delta: a value that it omits is unknown, not null.
    private let isDelta: Bool
    /// Whether entities may come without key: then the merge reads it from their ids.
    private let keepsIDs: Bool
    /// Slots that the query did not ask for, by destination: their value is unknown, not null.
    private let unknownSlots: [Int: [Int]]
    /// Whether properties that the payload leaves out have their declared defaults.
    private let setsDefaults: Bool
    private let convention: LinkConvention
    /// Where links and tombstones are kept; nil where they are not.
    private let relations: StagedRelations?
    /// The entity that the payload's entities belong to, where it goes on with a collection inside of it.
    private let parent: (row: Int64, navigation: NavigationPropertyID)?
    /// The levels used so far: first by depth, then one for each destination met there.
    private var levels: [[Level]] = []
    /// Levels of the entities that are being read, outermost first.
    private var stack: [Level] = []
    /// The statement of the innermost one.
    private var insert: InsertStatement?
    private var nextID: Int64 = 1
    private var lastID: Int64 = 0
    /// The id of the last row.
    var lastUsedID: Int64 { nextID - 1 }
    /// Rows inserted so far.
    private(set) var rowCount = 0

    /// Ids are taken in blocks, so that the counter is written seldom.
    private static let idBlock = 4_096

    init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        target: Target,
        isDelta: Bool = false,
        keepsIDs: Bool? = nil,
        parent: (row: Int64, navigation: NavigationPropertyID)? = nil,
        unknownSlots: [Int: [Int]] = [:],
        setsDefaults: Bool = false,
        root: String? = nil
    ) {
        self.connection = connection
        self.schema = schema
        self.target = target
        self.isDelta = isDelta
        self.keepsIDs = keepsIDs ?? isDelta
        self.parent = parent
        self.unknownSlots = unknownSlots
        self.setsDefaults = setsDefaults
        convention = LinkConvention(schema, root: root)
        relations =
            target.keepsLinks ? StagedRelations(connection, tableName: target.tableName) : nil
    }

    // MARK: Entities

    mutating func beginEntity(_ plan: EntityPlan) throws {
        let level = try begin(plan)
        insert = level.insert
        stack.append(level)
    }

    /// Binds what a row has beside its values.
    private mutating func begin(_ plan: EntityPlan) throws -> Level {
        try checkPlace()
        let level = try level(plan)
        level.row = try takeID()
        try level.insert.bind(level.row, at: SystemColumn.id.parameter)
        try bindType(plan, level: level)
        if level.table.isContained, let parent = stack.last?.row ?? parent?.row {
            try level.insert.bind(parent, at: SystemColumn.parent.parameter)
        }
        return level
    }

    /// A related entity needs a link to it, which is not kept here.
    private func checkPlace() throws {
        guard relations == nil, let navigation = stack.last?.navigations.last,
            !schema.model[navigation].containsTarget
        else { return }
        throw UnexpectedRelations()
    }

    func type(_ plan: EntityPlan) throws {
        if let level = stack.last { try bindType(plan, level: level) }
    }

    private func bindType(_ plan: EntityPlan, level: Level) throws {
        try level.insert.bind(level.code(of: plan), at: SystemColumn.type.parameter)
    }

    mutating func plainEntities(
        _ plan: EntityPlan,
        count: Int,
        calls: Span<UInt64>,
        bytes: Span<UInt8>
    ) throws {
        let isInside = !stack.isEmpty || parent != nil
        guard !isInside, count >= Self.smallestRun else {
            return try oneByOne(plan, calls: calls, bytes: bytes)
        }
        let level = try level(plan)
        let insert = try level.rowsInsert ?? makeRowsInsert(level)
        insert.setStanding(level.code(of: plan), at: SystemColumn.type.parameter)
        var run = PlainRun()
        var left = count
        while left > 0 {
            let ids = try takeIDs(atMost: left)
            let start = run
            for _ in ids { _ = run.next(calls) }
            try insert.run(
                calls.extracting(start.word..<run.word),
                bytes: bytes.extracting(start.byte..<run.byte),
                count: ids.count,
                firstID: ids.lowerBound
            )
            left -= ids.count
        }
        rowCount += count
    }

    /// Fewer entities are not worth a statement of their own.
    private static let smallestRun = 16

    private mutating func oneByOne(
        _ plan: EntityPlan,
        calls: Span<UInt64>,
        bytes: Span<UInt8>
    ) throws {
        var run = PlainRun()
        while run.word < calls.count {
            let entity = run.next(calls)
            let (calls, bytes) = (calls.extracting(entity.words), bytes.extracting(entity.bytes))
            guard !entity.hasExactTexts else {
                try plainEntity(plan, calls: calls, bytes: bytes)
                continue
            }
            let level = try begin(plan)
            try level.insert.run(calls, bytes: bytes)
            try end(level)
        }
    }

    private func makeRowsInsert(_ level: Level) throws -> RecordedRowsInsert {
        let table = level.table
        let names = table.allColumnNames
        let made = try RecordedRowsInsert(
            connection,
            into: "\(target.tableName(table.name).sqlQuoted) (\(names.joined(separator: ", ")))",
            columns: RecordedRowColumns(
                slotNames: table.columns.map(\.name),
                firstSlot: SystemColumn.firstSlotParameter - 1,
                etag: SystemColumn.etag.parameter - 1,
                exact: SystemColumn.exact.parameter - 1
            ),
            standing: level.standing
        )
        level.rowsInsert = made
        return made
    }

    mutating func endEntity() throws {
        let level = stack.removeLast()
        if let extras = level.extras {
            try bind(extras, insert: level.insert)
            if !extras.address.isEmpty { try keep(extras.address, level: level) }
            level.extras = nil
        }
        try level.insert.run()
        insert = stack.last?.insert
        try end(level)
    }

    /// Links a row that is in to the entity around it.
    private mutating func end(_ level: Level) throws {
        rowCount += 1
        guard let around = stack.last else {
            if let parent {
                try relations?.link(parent.navigation, from: parent.row, to: level.row)
            }
            return
        }
        guard let navigation = around.navigations.last else { return }
        try relations?.link(navigation, from: around.row, to: level.row)
    }

    // MARK: Levels

    /// Returns the level of an entity that begins now.
    private mutating func level(_ plan: EntityPlan) throws -> Level {
        let depth = stack.count
        if depth == levels.count { levels.append([]) }
        let isPartial = isDelta || stack.last.map { $0.isPartial || $0.isInChanges } ?? false
        for level in levels[depth]
        where level.destination == plan.destination && level.isPartial == isPartial {
            return level
        }
        guard let table = schema.layout[schema.plans.source(of: plan)] else {
            throw StoreError(.invalid, "the payload has entities of a type that is not known")
        }
        try target.ensureTable(table)
        let sql = RowEditor(connection, layout: schema.layout).insertStatement(
            table,
            named: target.tableName(table.name)
        )
        let standing = standingValues(table, destination: plan.destination, isPartial: isPartial)
        let insert = try InsertStatement(
            connection,
            sql: sql,
            firstSlot: SystemColumn.firstSlotParameter,
            etagParameter: SystemColumn.etag.parameter,
            standing: standing
        )
        let made = Level(
            plan.destination,
            in: table,
            isPartial: isPartial,
            insert: insert,
            standing: standing,
            usualStart: convention.usualStart(of: table)
        )
        levels[depth].append(made)
        return made
    }

    /// Values of parameters that the payload says nothing of.
    private func standingValues(_ table: TableLayout, destination: Int, isPartial: Bool)
        -> [Int: Scalar]
    {
        var values: [Int: Scalar] = [:]
        for column in [SystemColumn.queries, .state, .stamp] {
            values[column.parameter] = .integer(0)
        }
        for (column, value) in target.system { values[column.parameter] = value }
        if setsDefaults {
            let computed = PlainComputedValue(layout: schema.layout, now: Instant.now)
            for type in table.types {
                for (slot, value) in computed.required(of: type, in: table) {
                    values[parameter(slot)] = value
                }
                let columns = table.typeColumns(of: type, in: schema.layout.model)
                for (slot, value) in columns.valuesWhenAbsent { values[parameter(slot)] = value }
            }
        }
        let unknown = isPartial ? Array(table.columns.indices) : unknownSlots[destination] ?? []
        for slot in unknown {
            values[parameter(slot)] = UnknownValue.scalar(in: table.columns[slot])
        }
        return values
    }

    private mutating func takeID() throws -> Int64 {
        try takeIDs(atMost: 1).lowerBound
    }

    /// Takes ids that follow one another: at least one, and no more than asked for.
    private mutating func takeIDs(atMost count: Int) throws -> Range<Int64> {
        if nextID > lastID {
            nextID = try target.takeIDs(Self.idBlock)
            lastID = nextID + Int64(Self.idBlock) - 1
        }
        let first = nextID
        nextID += min(Int64(count), lastID - first + 1)
        return first..<nextID
    }

    // MARK: Values

    private let firstParameter = SystemColumn.firstSlotParameter

    private func parameter(_ slot: Int) -> Int { firstParameter + slot }

    func null(_ slot: Int) throws { try insert?.bindNull(at: parameter(slot)) }

    func integer(_ value: Int64, slot: Int) throws {
        try insert?.bind(value, at: parameter(slot))
    }

    func real(_ value: Double, slot: Int) throws {
        try insert?.bind(value, at: parameter(slot))
    }

    func text(_ value: Span<UInt8>, slot: Int) throws {
        try insert?.bind(text: value, at: parameter(slot))
    }

    func blob(_ value: Span<UInt8>, slot: Int) throws {
        try insert?.bind(blob: value, at: parameter(slot))
    }

    func exact(_ text: Span<UInt8>, slot: Int) {
        guard let level = stack.last else { return }
        level.withExtras { $0.exact.append((level.table.columns[slot].name, String(text))) }
    }

    func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {
        stack.last?.withExtras { $0.undeclared.append((String(name), String(json))) }
    }

    func control(_ information: EntityControl, value: Span<UInt8>) throws {
        if information == .etag {
            try insert?.bind(text: value, at: SystemColumn.etag.parameter)
            return
        }
        if [.id, .editLink, .readLink].contains(information) { note(information, value: value) }
        if information == .id, keepsIDs {
            // There may be no key but this one; the merge takes it out again.
            stack.last?.withExtras { $0.control.append(("@odata.id", String(value))) }
            return
        }
        guard let name = information.memberName else { return }
        stack.last?.withExtras { $0.control.append((name, String(value))) }
    }

    func streamControl(
        _ property: Span<UInt8>,
        _ information: EntityControl,
        value: Span<UInt8>
    ) {
        guard let member = information.memberName else { return }
        let name = String(property) + member
        stack.last?.withExtras { $0.control.append((name, String(value))) }
    }

    /// Remembers a link that is not of the convention.
    private func note(_ information: EntityControl, value: Span<UInt8>) {
        guard let level = stack.last, !level.isUsual(value),
            let link = convention.unusual(String(value), of: level.table)
        else { return }
        level.withExtras { extras in
            switch information {
            case .id: extras.address.id = link
            case .editLink: extras.address.edit = link
            default: extras.address.read = link
            }
        }
    }

    private func keep(_ address: EntityAddress, level: Level) throws {
        let name = target.tableName(EntityAddresses.table)
        if try !connection.tableNames().contains(name) {
            try EntityAddresses.create(connection, named: name)
        }
        try EntityAddresses(connection)
            .set(address, of: level.row, in: level.table.name, named: name)
    }

    /// Binds the columns that are JSON objects.
    private func bind(_ extras: Level.Extras, insert: InsertStatement) throws {
        if !extras.exact.isEmpty {
            try insert.bind(object(extras.exact), at: SystemColumn.exact.parameter)
        }
        if !extras.undeclared.isEmpty {
            try insert.bind(rawObject(extras.undeclared), at: SystemColumn.dynamic.parameter)
        }
        if !extras.control.isEmpty {
            try insert.bind(object(extras.control), at: SystemColumn.control.parameter)
        }
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
        guard let level = stack.last else { return }
        level.navigations.append(navigation)
        level.isInChanges = isDelta
        // A link without target says that all links of this property have come, so that others can go.
        if !isDelta { try relations?.link(navigation, from: level.row, to: nil) }
    }

    func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) throws {
        guard let level = stack.last else { return }
        level.navigations.removeLast()
        level.isInChanges = false
        guard let nextLink else { return }
        try relations?.rest(of: navigation, row: level.row, in: level.table, link: nextLink)
    }

    mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) throws {
        guard let relations, let around = stack.last?.row ?? parent?.row else { return }
        let place = StagedRelations.Place(row: around, navigation: navigation)
        try relations.reference(String(reference), at: place, sequence: takeID())
    }

    // MARK: Deltas

    mutating func removed(id: Span<UInt8>, reason: RemovalReason) throws {
        guard let relations else { return }
        let place = stack.last.map {
            StagedRelations.Place(row: $0.row, navigation: $0.navigations.last)
        }
        let around = parent.map { StagedRelations.Place(row: $0.row, navigation: $0.navigation) }
        try relations.removed(String(id), reason: reason, at: place ?? around, sequence: takeID())
    }

    mutating func link(_ change: LinkChange) throws {
        guard let relations else { return }
        try relations.change(change, sequence: takeID())
    }
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
