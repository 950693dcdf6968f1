import ODataBinding
import ODataModel
import ODataSQL
package import ODataSQLite
package import ODataTables
package import StoreRecords

/// Refuses queries whose entities cannot be identified, since the metadata gives their type no key.
///
/// The key may stand in a base type of another document (OData CSDL 4.01 §§ 3.3, 6.2), and only `$metadata` itself is read.
package struct KeylessEntities {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var model: EdmModel { schema.model }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Checks the entities that a query asks for, and those that it expands.
    ///
    /// - Throws: ``StoreError`` that names the type, and the document with its base type.
    package func check(_ query: DefiningQuery) throws {
        guard let asked = AddressedEntities(query.url, in: model)
        else { return }
        try check(asked.path.finalSource)
        try check(asked.options)
    }

    private func check(_ options: BoundOptions) throws {
        for expand in options.expand {
            try check(expand.target)
            try check(expand.options)
        }
    }

    private func check(_ source: NavigationSource?) throws {
        guard let source, let table = schema.layout[source], table.isKeyless(in: model) else {
            return
        }
        throw StoreError(.invalid, try message(model[table.entityType].name, in: source))
    }

    private func message(_ type: String, in source: NavigationSource) throws -> String {
        let start =
            "the entities of \(model.name(of: source)) cannot be identified: their type \(type) has no key"
        let wayOut =
            "; leave \(model.name(of: source)) out of the defining queries, or ask for a service whose $metadata has the type as a whole"
        guard let document = try? CSDLDocument(reading: schema.document(connection)),
            let missing = missingType(of: type, in: document)
        else { return start + wayOut }
        let references = document.references.filter { reference in
            reference.includes.contains { include in
                [include.namespace, include.alias].contains {
                    $0.map { missing.contains("'\($0).") } ?? false
                }
            }
        }
        let uris = references.map(\.uri).joined(separator: ", ")
        let place = uris.isEmpty ? "another document" : uris
        return start
            + ". \(missing) Its base type stands in \(place), which $metadata refers to and which is not read"
            + wayOut
    }

    /// What the reader of the metadata says about a base type that is not there; nil where it says nothing.
    private func missingType(of type: String, in document: CSDLDocument) -> String? {
        let lineage = model.structuredType(named: type).map {
            model.lineage(of: $0).map { model[$0].name }
        }
        return document.diagnostics.first {
            (lineage ?? [type]).contains($0.path) && $0.message.contains("not at hand")
        }?.message
    }
}

extension TableLayout {
    /// Whether it holds several entities without a key; a singleton, and a single entity inside of another, needs none.
    fileprivate func isKeyless(in model: EdmModel) -> Bool {
        guard keyColumns.isEmpty else { return false }
        switch source {
        case .entitySet: return true
        case .singleton: return false
        case .contained(let id): return model[id].isCollection
        }
    }
}
