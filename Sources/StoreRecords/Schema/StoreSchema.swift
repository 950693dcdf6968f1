package import ODataSQL
package import ODataSQLite
import ODataValues
import ODataCompiledModel
package import ODataModel
package import ODataTables

/// Reads and writes the model that a store's file holds.
package enum StoreSchema {
    /// Makes the schema of a metadata document as a store sees it, with the names chosen before.
    ///
    /// - Throws: `CSDLError` when the document is no usable metadata.
    package static func make(
        _ document: [UInt8],
        names: LayoutNames = LayoutNames(),
        limits: CSDLLimits = CSDLLimits()
    ) throws -> TableSchema {
        var model = try CSDLDocument(reading: document, limits: limits).model
        BuiltInSets.add(to: &model)
        return TableSchema(document: document, layout: Layout(model, names: names))
    }

    /// The model that the service has written, without the store's own sets.
    package static func serviceModel(of schema: TableSchema, on connection: SQLiteConnection) throws
        -> EdmModel
    {
        try CSDLDocument(reading: schema.document(connection), limits: accepted).model
    }

    /// The limits of a document that was accepted before: the default ones may be lower than those of that time.
    private static let accepted: CSDLLimits = {
        var limits = CSDLLimits()
        limits.maximumByteCount = .max
        limits.maximumNamespaceLength = .max
        limits.maximumDepth = max(limits.maximumDepth, 1_000)
        return limits
    }()

    /// Returns the schema of the file; nil before the first metadata has come.
    ///
    /// The model is read from its compiled form; from the document where that is missing or damaged.
    package static func load(_ connection: SQLiteConnection) throws -> TableSchema? {
        let names = try TableCatalog.loadNames(connection)
        if let model = try compiledModel(connection) {
            return TableSchema(Layout(model, names: names), readingDocument: storedDocument)
        }
        return try loadDocument(connection, names: names)
    }

    private static func loadDocument(_ connection: SQLiteConnection, names: LayoutNames) throws
        -> TableSchema?
    {
        guard case .blob(let document)? = try document(connection) else { return nil }
        return try make(document, names: names, limits: Self.accepted)
    }

    /// The row that holds the compiled form.
    private static let modelRow: Int64 = 1

    private static func compiledModel(_ connection: SQLiteConnection) throws -> EdmModel? {
        let bytes = try connection.blob("bytes", of: "$model", row: modelRow)
        return bytes.flatMap { try? CompiledModel.model($0) }
    }

    private static func storedDocument(_ connection: SQLiteConnection) throws -> [UInt8] {
        guard case .blob(let document)? = try document(connection) else { return [] }
        return document
    }

    /// Writes the model of the document that the file holds in its compiled form; in a write transaction.
    ///
    /// - Returns: The schema, read from the document.
    static func compile(_ connection: SQLiteConnection) throws -> TableSchema? {
        let names = try TableCatalog.loadNames(connection)
        let schema = try loadDocument(connection, names: names)
        if let schema { try saveCompiled(schema.model, on: connection) }
        return schema
    }

    private static func saveCompiled(_ model: EdmModel, on connection: SQLiteConnection) throws {
        try connection.run(
            "INSERT OR REPLACE INTO \"$model\" (\"id\", \"bytes\") VALUES (?1, ?2)",
            [.integer(modelRow), .blob(CompiledModel.bytes(of: model))]
        )
    }

    /// Returns whether a metadata document is the one that the file holds.
    package static func holds(_ document: [UInt8], on connection: SQLiteConnection) throws -> Bool {
        try self.document(connection) == .blob(document)
    }

    private static func document(_ connection: SQLiteConnection) throws -> Scalar? {
        try connection.firstRow("SELECT \"document\" FROM \"$metadata\"") { $0.scalar(0) }
    }

    /// The number that changes with every new model of the file.
    package static func version(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.remembered(\.modelVersion) {
            guard case .integer(let version)? = try connection.metaValue("modelVersion") else {
                return 0
            }
            return version
        }
    }

    /// Writes a schema into the file: the document, the names, the views; in a write transaction.
    package static func save(_ schema: TableSchema, on connection: SQLiteConnection) throws {
        try connection.run(
            "INSERT OR REPLACE INTO \"$metadata\" (\"id\", \"document\") VALUES (1, ?1)",
            [.blob(schema.document(connection))]
        )
        try saveCompiled(schema.model, on: connection)
        try connection.setMetaValue("modelVersion", to: .integer(version(connection) + 1))
        connection.remember(nil, as: \.modelVersion)
        try TableCatalog(connection, layout: schema.layout).saveNames()
        try BuiltInSets.createViews(connection, layout: schema.layout)
    }
}
