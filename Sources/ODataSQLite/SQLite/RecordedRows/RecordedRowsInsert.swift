package import ODataValues

/// An INSERT of many rows at once: SQLite reads them from a recording, where an ``InsertStatement`` binds each row's values.
@safe
package final class RecordedRowsInsert {
    private let connection: SQLiteConnection
    private let run: UnsafeMutablePointer<RowRun>
    /// Nil only while this object ends.
    private var statement: SQLiteStatement?
    /// Standing texts and blobs.
    private let kept: [UnsafeMutablePointer<UInt8>]

    /// Compiles a statement.
    ///
    /// - Parameters:
    ///   - target: The table and its columns, `"table" ("column", …)`; the first column is that of the row id.
    ///   - columns: What goes where in a row.
    ///   - standing: Values of columns that rows leave out, by their number from 1 as parameters have it; null for all others.
    /// - Throws: ``SQLiteError`` where the table or a column is not there.
    package init(
        _ connection: SQLiteConnection,
        into target: String,
        columns: RecordedRowColumns,
        standing: [Int: Scalar]
    ) throws {
        self.connection = connection
        unsafe run = .allocate(capacity: 1)
        unsafe run.initialize(to: RowRun(columns))
        var kept: [UnsafeMutablePointer<UInt8>] = unsafe []
        for (parameter, value) in standing {
            unsafe run.pointee.standing[parameter - 1] = unsafe RowCell(value, keeping: &kept)
        }
        unsafe self.kept = unsafe kept
        try connection.check(unsafe RecordedRowsModule.register(run, on: connection.database))
        let names = RecordedRowsModule.columns(columns.count)
        statement = try connection.prepare(
            unsafe "INSERT INTO \(target) SELECT \(names) FROM \(RecordedRowsModule.name(of: run))"
        )
    }

    deinit {
        unsafe RecordedRowsModule.remove(run, from: connection.database)
        // The table goes with its last statement, and reads nothing afterwards.
        statement = nil
        unsafe run.pointee.deallocate()
        unsafe run.deinitialize(count: 1)
        unsafe run.deallocate()
        for index in unsafe kept.indices { unsafe kept[index].deallocate() }
    }

    /// Sets the value of a parameter in rows that say nothing of it.
    package func setStanding(_ value: Int64, at parameter: Int) {
        precondition(
            unsafe parameter > 0 && parameter <= run.pointee.columnCount,
            "a standing value is set for a parameter that the row does not have"
        )
        unsafe run.pointee.standing[parameter - 1] = RowCell(value)
    }

    /// Inserts plain entities of one recording.
    ///
    /// - Parameters:
    ///   - calls: ``RecordedCall`` words of the entities, each from its beginning to its end.
    ///   - bytes: Their texts and blobs, one after the other.
    ///   - firstID: The row id of the first one; the others follow by one.
    package func run(
        _ calls: Span<UInt64>,
        bytes: Span<UInt8>,
        count: Int,
        firstID: Int64
    ) throws {
        try unsafe calls.withUnsafeBufferPointer { words in
            try unsafe bytes.withUnsafeBufferPointer { texts in
                unsafe run.pointee.set(
                    words: words.baseAddress,
                    bytes: texts.baseAddress,
                    count: count,
                    firstID: firstID
                )
                try statement?.run()
            }
        }
    }
}

extension RowCell {
    /// A value whose bytes are copied to memory of their own, which the caller gives back.
    @unsafe fileprivate init(_ value: Scalar, keeping kept: inout [UnsafeMutablePointer<UInt8>]) {
        switch value {
        case .null: self = .null
        case .integer(let value): self.init(value)
        case .real(let value): self.init(kind: .real, length: 0, word: value.bitPattern)
        case .text(let text): unsafe self.init(.text, Array(text.utf8), keeping: &kept)
        case .blob(let bytes): unsafe self.init(.blob, bytes, keeping: &kept)
        }
    }

    @unsafe private init(
        _ kind: Kind,
        _ bytes: [UInt8],
        keeping kept: inout [UnsafeMutablePointer<UInt8>]
    ) {
        let place = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        for (index, byte) in bytes.enumerated() { unsafe place[index] = byte }
        unsafe kept.append(place)
        unsafe self.init(kind, at: place, length: bytes.count)
    }
}
