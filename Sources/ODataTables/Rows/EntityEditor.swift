package import ODataSQL
package import ODataModel

/// Carries out creates, updates, deletes and links of entities with all that hangs on them; used inside a write transaction.
///
/// It knows the model's relationships and nothing of queues or ETags: a journal sees to what a service or a store keeps besides.
package struct EntityEditor {
    package let rows: RowEditor
    package let journal: any RowJournal
    /// Finds the row that a reference in a payload means.
    package let resolve: (String) throws -> EntityReference

    package var layout: Layout { rows.layout }
    package var model: EdmModel { rows.layout.model }

    /// Inline entities nested deeper than this are refused.
    static let maximumDepth = 32

    package init(
        _ rows: RowEditor,
        journal: any RowJournal,
        resolve: @escaping (String) throws -> EntityReference
    ) {
        self.rows = rows
        self.journal = journal
        self.resolve = resolve
    }

    func table(_ source: NavigationSource) throws -> TableLayout {
        try rows.catalog.ensureTable(source)
    }

    func relationship(_ id: NavigationPropertyID, from source: NavigationSource) -> Relationship {
        layout.relationship(id, from: source, to: model.target(of: id, from: source))
    }
}
