import ODataAnswers
import ODataModel
import ODataModelComparison
import ODataTables
import ODataText
import OfflineProvider
import StoreRecords

/// Pending creations and replacements without a value, or a relation, that a new model requires: the service will refuse them.
struct IncompleteCreations {
    let model: EdmModel
    /// Paths of the properties that are new, `NS.Type/Property`.
    private let added: Set<String>

    init(model: EdmModel, comparison: ModelComparison) {
        self.model = model
        added = Set(
            comparison.changes.filter {
                [.property, .navigationProperty].contains($0.what) && $0.change == .added
            }.map(\.path)
        )
    }

    /// Says what a request lacks; nil where it lacks nothing, or neither creates nor replaces an entity.
    func problem(of request: OfflineODataRequest) -> String? {
        let entry = request.entry
        guard entry.isCreation || entry.method == "PUT" && entry.isChangeOfValues,
            let set = request.entitySet, let source = model.navigationSource(named: set),
            let declared = model.entityType(of: source),
            let body = request.body.flatMap({ JSONTree(Array($0.utf8))?.root })
        else { return nil }
        var missing = missing(in: body, of: declared)
        // Who creates in a collection of an entity may relate to that one.
        if entry.isCreation, !request.url.contains("/") {
            missing += unrelated(body, of: declared)
        }
        guard !missing.isEmpty else { return nil }
        return "it gives no value to " + missing.joined(separator: ", ")
            + ", which the new metadata wants one of"
    }

    /// Paths of what an entity or a complex value lacks, and what the complex values in it do.
    private func missing(in value: JSONNode, of declared: StructuredTypeID, at path: String = "")
        -> [String]
    {
        model.lineage(of: type(of: value, declared)).reversed().flatMap { type in
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

    /// Names of the required relations that a new entity has not been given.
    private func unrelated(_ body: JSONNode, of declared: StructuredTypeID) -> [String] {
        model.lineage(of: type(of: body, declared)).reversed().flatMap { type in
            model[type].navigationProperties.filter { property in
                added.contains(model[type].name + "/" + property.name) && property.isRequired
                    && ["", "@odata.bind", "@bind"].allSatisfy { body[property.name + $0] == nil }
            }.map(\.name)
        }
    }

    private func type(of value: JSONNode, _ declared: StructuredTypeID) -> StructuredTypeID {
        let stated = value["@odata.type"]?.text.map { $0.drop { $0 == "#" } }
        return stated.flatMap { model.structuredType(named: String($0)) } ?? declared
    }

    private func isWanted(_ property: StructuralProperty, of type: StructuredTypeID) -> Bool {
        added.contains(model[type].name + "/" + property.name) && !property.isNullable
            && !property.type.isCollection && property.defaultValue == nil && !property.isComputed
    }
}
