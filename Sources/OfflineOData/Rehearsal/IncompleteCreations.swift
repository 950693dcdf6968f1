import ODataModel
import ODataModelComparison
import ODataTables
import ODataText
import OfflineProvider
import StoreRecords

/// Pending creations and replacements without a value of a property that a new model requires: the service will refuse them.
struct IncompleteCreations {
    let model: EdmModel
    /// Paths of the properties that are new, `NS.Type/Property`.
    private let added: Set<String>

    init(model: EdmModel, comparison: ModelComparison) {
        self.model = model
        added = Set(
            comparison.changes.filter { $0.what == .property && $0.change == .added }.map(\.path)
        )
    }

    /// Says what a request lacks; nil where it lacks nothing, or neither creates nor replaces an entity.
    func problem(of request: OfflineODataRequest) -> String? {
        guard ["POST", "PUT"].contains(request.method), let set = request.entitySet,
            let source = model.navigationSource(named: set),
            let declared = model.entityType(of: source),
            let body = request.body.flatMap({ JSONTree(Array($0.utf8))?.root })
        else { return nil }
        let missing = missing(in: body, of: declared)
        guard !missing.isEmpty else { return nil }
        return "it gives no value to " + missing.joined(separator: ", ")
            + ", which the new metadata wants one of"
    }

    /// Paths of what an entity or a complex value lacks, and what the complex values in it do.
    private func missing(in value: JSONNode, of declared: StructuredTypeID, at path: String = "")
        -> [String]
    {
        let stated = value["@odata.type"]?.text.map { $0.drop { $0 == "#" } }
        let type = stated.flatMap { model.structuredType(named: String($0)) } ?? declared
        return model.lineage(of: type).reversed().flatMap { type in
            model[type].properties.flatMap { property in
                guard let member = value[property.name] else {
                    return isWanted(property, of: type) ? [path + property.name] : []
                }
                guard case .structured(let inner) = property.type.type else { return [String]() }
                return (member.items ?? [member]).flatMap {
                    missing(in: $0, of: inner, at: path + property.name + "/")
                }
            }
        }
    }

    private func isWanted(_ property: StructuralProperty, of type: StructuredTypeID) -> Bool {
        added.contains(model[type].name + "/" + property.name) && !property.isNullable
            && !property.type.isCollection && property.defaultValue == nil && !property.isComputed
    }
}
