import ODataValues
package import ODataSQL
package import ODataBinding

extension TableQuery {
    /// States of relatives that answers show.
    private static let states: [(shown: RowState, asked: EntityState)] = [
        (.local, .hasLocalRelatives), (.pending, .hasRelativesWithPendingChanges),
        (.inError, .hasRelativesInErrorState),
    ]

    /// Returns the states of the relatives of the entities that a path reaches, by their rows; entities without such relatives are
    /// left out.
    package func statesOfRelatives(_ path: EntityPath, among rows: [Int64]? = nil) throws
        -> [Int64: RowState]
    {
        guard let source = path.finalSource else { return [:] }
        var plain = self
        plain.showsRelatives = false
        plain.members = nil
        var format = AnswerFormat()
        format.metadata = .none
        var found: [Int64: RowState] = [:]
        for state in Self.states {
            var options = BoundOptions()
            options.filter = .relatives(of: source, areIn: state.asked, in: layout.model)
            options.select = .paths([])
            let answer = try plain.entities(path, options: options, among: rows, format: format)
            for row in answer.rows { found[row, default: []].formUnion(state.shown) }
        }
        return found
    }
}

extension RowState {
    /// Writes the states of relatives, as annotations.
    func writeAsRelatives(prefix: String = "@sap.", to writer: inout JSONWriter) {
        let names: [(RowState, String)] = [
            (.local, "hasLocalRelatives"), (.pending, "hasRelativesWithPendingChanges"),
            (.inError, "hasRelativesInErrorState"),
        ]
        for (bit, name) in names where contains(bit) {
            writer.name(prefix + name)
            writer.boolean(true)
        }
    }
}
