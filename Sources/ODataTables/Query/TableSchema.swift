package import ODataSQL
package import ODataSQLite
package import ODataModel
package import Synchronization

/// A model with everything derived from it: one version of what a file holds.
///
/// A class, since everything that works with tables passes it on.
package final class TableSchema: Sendable {
    /// Reads the CSDL document as it was given; megabytes that most work does not need.
    private let readDocument: @Sendable (SQLiteConnection) throws -> [UInt8]
    /// The document in its other form, XML or JSON, once it was asked for.
    package let convertedDocument = Mutex<[UInt8]?>(nil)
    /// Its tables.
    package let layout: Layout
    /// Its payload plans.
    package let plans: PlanCatalog

    /// Its statements that read single entities.
    package let singleReads = SingleReads()

    /// What its defining queries bring.
    package let queryReaches = QueryReaches()

    /// The model.
    package var model: EdmModel { layout.model }

    /// Creates a schema whose document is in memory.
    package convenience init(document: [UInt8], layout: Layout) {
        self.init(layout) { _ in document }
    }

    /// Creates a schema whose document is read from its file when it is asked for.
    package init(
        _ layout: Layout,
        readingDocument: @escaping @Sendable (SQLiteConnection) throws -> [UInt8]
    ) {
        self.layout = layout
        readDocument = readingDocument
        plans = PlanCatalog(layout)
    }

    /// Returns the CSDL document as it was given.
    package func document(_ connection: SQLiteConnection) throws -> [UInt8] {
        try readDocument(connection)
    }
}
