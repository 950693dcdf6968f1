import ODataValues
import ODataSQLite
import ODataAnswers

/// What a `TableEntityStore` does besides keeping rows.
package struct TableStoreSettings: Sendable {
    /// How many connections read side by side.
    package var readerCount = 2
    /// Whether changes are kept in a log, so that delta links can be answered.
    package var logsChanges = true
    /// How many entries of the change log are kept; delta links older than that are gone (410).
    package var changeLogLimit = 1_000_000
    /// The present instant in ticks of 100 ns since 0001-01-01, injected by tests.
    package var now: @Sendable () -> Int64 = { Instant.now }

    package init() {}
}
