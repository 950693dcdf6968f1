import ODataBinding
import ODataModel
import ODataPayload
import ODataSQL
import ODataTables
import ODataText

/// Says as which type the body of a change is read.
///
/// A body need not state the type of an entity that is there, and may still give properties which that type alone declares (OData
/// 4.01 Part 1 § 11.4.3).
struct ChangedType {
    let write: WriteAnswer

    /// Returns the plan of the bodies of changes at a path; nil where it leads to no known set.
    ///
    /// - Parameter names: The names of the properties that are given.
    func plan(for path: EntityPath, giving names: () -> [String]) throws -> EntityPlan? {
        guard let source = path.finalSource else { return nil }
        let declared = path.entityType(in: write.model)
        let type = try ownType(at: path, of: source, declaredAs: declared, giving: names)
        return write.schema.plans.plan(for: source, type: type ?? declared)
    }

    /// The names of the members of the body.
    func givenNames() -> [String] {
        guard let tree = JSONTree(write.context.body) else { return [] }
        let content = write.context.format.isVerbose ? tree.member("d", of: tree.root) : nil
        return (content ?? tree.root).members?.map(\.name) ?? []
    }

    private func ownType(
        at path: EntityPath,
        of source: NavigationSource,
        declaredAs declared: StructuredTypeID?,
        giving names: () -> [String]
    ) throws -> StructuredTypeID? {
        guard write.context.method != "POST", let declared, let table = write.schema.layout[source],
            table.types.count > 1, let row = try write.writing.query().rows(path).first,
            let own = try write.reading().rows.type(of: row.row, in: table), own != declared,
            write.model.type(own, isOrExtends: declared)
        else { return nil }
        // A cast on the way may name a type between the two, which the body would be taken to state.
        if declared != write.model.entityType(of: source) { return own }
        let given = names().map { String($0.prefix { $0 != "@" }) }
        return given.contains { has(own, $0) && !has(declared, $0) } ? own : nil
    }

    private func has(_ type: StructuredTypeID, _ name: String) -> Bool {
        write.model.property(name, of: type) != nil
            || write.model.navigationProperty(name, of: type) != nil
    }
}
