import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import ODataTables

/// The rows of a large set that is loaded for the first time, on their way from the scratch file into a hidden table.
///
/// They go in many short transactions, between which local changes are made; the set appears when the hidden table takes its name,
/// in the transaction of the download. Until then nothing of it is visible, and a download that ends early has changed nothing.
struct TableBuild: Sendable {
    /// Sets with fewer staged rows are merged in one transaction, which takes no longer than a few slices.
    static let smallestRowCount = 10_000
    /// How long the copying of a slice should take: a change that comes meanwhile waits for it, and for its commit.
    private static let sliceTime = Duration.milliseconds(1)
    /// The same while changes are being made.
    ///
    /// Shorter ones would bring them little, since a commit takes longer than that.
    private static let sliceTimeBesideChanges = Duration.microseconds(300)
    private static let sliceSizes = 64...8_192

    private let hidden: String
    /// What is added to the ids of staged rows.
    private let offset: Int64
    /// The model that the table is made for.
    private let modelVersion: Int64
    private let lastStaged: Int64
    /// The staged row up to which all are copied.
    private var position: Int64
    private var sliceSize = 512
    /// How many rows there are in the end: of rows with one key the last stays.
    var rowCount = 0

    /// Whether every row is in the hidden table.
    var isComplete: Bool { position >= lastStaged }

    /// Makes the hidden table; nil if the set is small, or if staged rows may match rows of the store.
    init?(_ merge: StagedMerge) throws {
        // Before the first opening there is no reader that would have to wait.
        guard try StoreState.isOpened(merge.connection), let table = try merge.soleNewTable()
        else { return nil }
        let staged = merge.staged(table.name)
        // Counting all of them, or looking for both ends at once, would hold up local changes for longer the larger the set is.
        let bounds = try merge.connection.firstRow(
            """
            SELECT (SELECT min("$id") FROM \(staged)), (SELECT max("$id") FROM \(staged))
            WHERE EXISTS (SELECT 1 FROM \(staged) LIMIT 1 OFFSET ?1)
            """,
            [.integer(Int64(Self.smallestRowCount - 1))]
        ) { (first: $0.integer(0), last: $0.integer(1)) }
        guard let bounds else { return nil }
        let hidden = HiddenTable(table, catalog: merge.catalog)
        guard try hidden.canTakePlace() else { return nil }
        try hidden.create()
        let first = try merge.connection.takeRowIDs(Int(bounds.last - bounds.first + 1))
        self.hidden = hidden.name
        offset = first - bounds.first
        modelVersion = try StoreSchema.version(merge.connection)
        lastStaged = bounds.last
        position = bounds.first - 1
    }

    /// Copies the next rows.
    ///
    /// - Parameter isBesideChanges: Whether local changes are being made meanwhile.
    mutating func copySlice(_ merge: StagedMerge, isBesideChanges: Bool) throws {
        guard let table = try merge.soleNewTable() else { return position = lastStaged }
        let start = ContinuousClock.now
        let staged = merge.staged(table.name)
        let end = try merge.connection.integer(
            "SELECT \"$id\" FROM \(staged) WHERE \"$id\" > ?1 ORDER BY \"$id\" LIMIT 1 OFFSET ?2",
            [.integer(position), .integer(Int64(sliceSize - 1))]
        )
        let columns = merge.loadedColumns(table).joined(separator: ", ")
        try merge.connection.run(
            """
            INSERT OR REPLACE INTO main.\(hidden.sqlQuoted)
                ("$id", "$stamp", "$queries", \(columns))
            SELECT "$id" + ?1, ?2, ?3, \(columns) FROM \(staged)
            WHERE "$id" > ?4 AND "$id" <= ?5 ORDER BY "$id"
            """,
            [
                .integer(offset), .integer(merge.stamp), .integer(merge.query.bit),
                .integer(position), .integer(end ?? lastStaged),
            ]
        )
        position = end ?? lastStaged
        sliceSize = Self.size(
            after: sliceSize,
            taking: ContinuousClock.now - start,
            isBesideChanges: isBesideChanges
        )
    }

    /// The size of the next slice after one that took a time.
    static func size(after size: Int, taking time: Duration, isBesideChanges: Bool) -> Int {
        let wanted = isBesideChanges ? sliceTimeBesideChanges : sliceTime
        let next = time > wanted ? size / 2 : size * 3 / 2
        return min(max(next, sliceSizes.lowerBound), sliceSizes.upperBound)
    }

    /// Counts the rows.
    func count(_ connection: SQLiteConnection) throws -> Int {
        Int(try connection.integer("SELECT count(*) FROM \(hidden.sqlQuoted)") ?? 0)
    }

    /// Lets the set appear; answers whether it does: an entity of it may have been created here meanwhile.
    func takePlace(of table: TableLayout, _ merge: StagedMerge) throws -> Bool {
        let hidden = HiddenTable(table, catalog: merge.catalog)
        guard isComplete, try StoreSchema.version(merge.connection) == modelVersion,
            try merge.catalog.exists(hidden.name), try hidden.canTakePlace()
        else { return false }
        try hidden.takePlace()
        return true
    }
}

extension StagedMerge {
    /// The table of the set where nothing else was staged, and no row of the store can be one that came.
    func soleNewTable() throws -> TableLayout? {
        guard !isDelta, !query.isLoaded, !query.keepsMembers else { return nil }
        let tables = try stagedTables()
        guard tables.count == 1, let table = tables.first, !table.isContained,
            table.source == ownSource
        else { return nil }
        let names = try stagedNames()
        guard !names.contains(StagingFile.name(of: EntityAddresses.table, query: query)) else {
            return nil
        }
        for helper in ["$links", "$linkchange", "$removed", "$nested"]
        where names.contains(StagingFile.name(of: helper, query: query)) {
            let isUsed = try connection.integer("SELECT 1 FROM \(staged(helper)) LIMIT 1") != nil
            if isUsed { return nil }
        }
        return table
    }
}
