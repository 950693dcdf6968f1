import ODataPayload
import TestSupport
import Testing

@testable import ODataSQLite

/// Faults of callers that end the process before a value comes into another column or into memory of others.
@Suite struct RowInsertPreconditionTests {
    /// A table of a row id, an ETag, exact texts and two slots.
    private static func connection() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try connection.execute(
            #"CREATE TABLE "T" ("$id" INTEGER PRIMARY KEY, "$etag", "$exact", "A", "B")"#
        )
        return connection
    }

    private static func statement() throws -> InsertStatement {
        try InsertStatement(
            connection(),
            sql: #"INSERT INTO "T" VALUES (?1, ?2, ?3, ?4, ?5)"#,
            firstSlot: 4,
            etagParameter: 2,
            standing: [:]
        )
    }

    private static func insert() throws -> RecordedRowsInsert {
        try RecordedRowsInsert(
            connection(),
            into: #""T" ("$id", "$etag", "$exact", "A", "B")"#,
            columns: RecordedRowColumns(slotNames: ["A", "B"], firstSlot: 3, etag: 1, exact: 2),
            standing: [:]
        )
    }

    /// Inserts one entity with one call.
    private static func run(_ call: UInt64) throws {
        let words = [
            word(.beginEntity, length: 2), call, word(.endEntity),
        ]
        let bytes: [UInt8] = []
        try insert().run(words.span, bytes: bytes.span, count: 1, firstID: 1)
    }

    /// A word of a recording, as ``RecordedCall`` documents it.
    private static func word(_ name: RecordedCall.Name, number: Int = 0, length: Int = 0)
        -> UInt64
    {
        UInt64(name.rawValue) | UInt64(number) << 8 | UInt64(length) << 32
    }

    @Test(arguments: [-1, 0, 64]) func statementRefusesAParameterThatItDoesNotHave(
        _ parameter: Int
    ) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [parameter = parameter as Int] in
            Trap.endWithoutReport()
            try RowInsertPreconditionTests.statement().bindNull(at: parameter)
        }
        #expect(
            Trap.isReported("the statement does not have", in: result?.standardErrorContent)
        )
    }

    @Test func statementRefusesARecordedLink() async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) {
            Trap.endWithoutReport()
            let bytes: [UInt8] = []
            try RowInsertPreconditionTests.statement().run(
                [RowInsertPreconditionTests.word(.link)].span,
                bytes: bytes.span
            )
        }
        #expect(
            Trap.isReported("holds values only", in: result?.standardErrorContent)
        )
    }

    @Test(arguments: [0, 6]) func rowsRefuseAStandingValueBesideTheirColumns(
        _ parameter: Int
    ) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [parameter = parameter as Int] in
            Trap.endWithoutReport()
            try RowInsertPreconditionTests.insert().setStanding(1, at: parameter)
        }
        #expect(
            Trap.isReported("the row does not have", in: result?.standardErrorContent)
        )
    }

    @Test func rowsRefuseASlotWithoutAColumn() async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) {
            Trap.endWithoutReport()
            try RowInsertPreconditionTests.run(RowInsertPreconditionTests.word(.null, number: 2))
        }
        #expect(
            Trap.isReported("has no column in the row", in: result?.standardErrorContent)
        )
    }

    @Test func rowsRefuseARecordedLink() async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) {
            Trap.endWithoutReport()
            try RowInsertPreconditionTests.run(RowInsertPreconditionTests.word(.link))
        }
        #expect(
            Trap.isReported("holds values only", in: result?.standardErrorContent)
        )
    }
}
