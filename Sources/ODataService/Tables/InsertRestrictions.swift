import ODataModel
import ODataPayload
import ODataSQL
import ODataTables

/// What the metadata says of the properties of new entities (`Capabilities.InsertRestrictions`).
struct InsertRestrictions {
    private static let term = "InsertRestrictions"
    private let restrictions: AnnotationExpression
    private let model: EdmModel
    private let table: TableLayout

    /// Creates the restrictions of a set; nil where there are none.
    init?(_ source: NavigationSource, in layout: Layout) {
        guard case .entitySet(let index) = source, let table = layout[source],
            let value = layout.model.container.entitySets[index].annotations
                .value(of: "Org.OData.Capabilities.V1." + Self.term)
        else { return nil }
        restrictions = value
        model = layout.model
        self.table = table
    }

    /// Refuses a body that gives what cannot be given, or leaves out what has to be.
    ///
    /// - Throws: `EditError` that names the property and the annotation.
    func check(_ body: EntityBody, isComplete: Bool = true) throws {
        let given = names("NonInsertableProperties").first { isGiven($0, in: body) }
        if let given {
            throw refusal(given, "cannot be given of a new entity", "NonInsertableProperties")
        }
        let related = names("NonInsertableNavigationProperties").first { isRelated($0, in: body) }
        if let related {
            let member = "NonInsertableNavigationProperties"
            throw refusal(related, "cannot be given of a new entity", member)
        }
        guard isComplete else { return }
        let missing = names("RequiredProperties").first { !isGiven($0, in: body) }
        if let missing { throw refusal(missing, "is missing", "RequiredProperties") }
    }

    private func names(_ member: String) -> [String] {
        restrictions[member]?.items?.compactMap(\.text) ?? []
    }

    /// Whether a body has a value of a property or a part of one.
    private func isGiven(_ name: String, in body: EntityBody) -> Bool {
        let path = name.split(separator: "/").map(String.init).filter { !$0.contains(".") }
        return table.columns(of: body.plan.type, in: model)
            .contains { table.columns[$0].path.starts(with: path) && body.mentions($0) }
            || body.undeclared.contains { [$0.name] == path }
    }

    private func isRelated(_ name: String, in body: EntityBody) -> Bool {
        let navigation = body.bindings.map(\.navigation) + body.inline.map(\.navigation)
        return navigation.contains { model[$0].name == name }
    }

    private func refusal(_ name: String, _ fault: String, _ member: String) -> EditError {
        EditError(
            .invalid,
            "\(name) \(fault): the metadata says so (Capabilities.\(Self.term)/\(member))",
            at: name
        )
    }
}
