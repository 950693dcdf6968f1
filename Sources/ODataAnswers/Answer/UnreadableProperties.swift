import ODataBinding
import ODataModel
import ODataTables

/// Refuses requests for what clients cannot read (`Core.Permissions`, `Capabilities.ReadRestrictions`); expressions that would show it
/// by what they choose are refused where they are bound.
struct UnreadableProperties {
    let model: EdmModel

    /// - Throws: `ServiceError` with 404 for such a property itself (OData 4.01 Part 1 § 11.2.4), with 400 for entities expanded.
    func check(_ path: EntityPath, options: BoundOptions) throws {
        switch path.target {
        case .property(let names, _), .propertyCount(let names):
            if let name = firstUnreadable(of: names, path.entityType(in: model)) {
                throw ServiceError(
                    404,
                    "\(name) cannot be read: the metadata says so (Core.Permissions)"
                )
            }
        default: try checkSets(options.expand)
        }
    }

    /// Refuses to show along what could not be asked for by itself.
    private func checkSets(_ expands: [BoundExpand]) throws {
        for expand in expands {
            if let target = expand.target, model.isUnreadable(target) {
                throw ServiceError(
                    400,
                    "\(model[expand.navigation].name) cannot be expanded: entities of \(model.name(of: target)) cannot be read"
                )
            }
            try checkSets(expand.options.expand)
        }
    }

    /// The first property on the way that cannot be read.
    private func firstUnreadable(of names: [String], _ type: StructuredTypeID?) -> String? {
        names.indices.lazy.map { Array(names.prefix($0 + 1)) }
            .first { model.property($0, of: type)?.isUnreadable == true }?
            .joined(separator: "/")
    }
}

extension EdmModel {
    /// Whether the metadata says of a set or singleton that its entities cannot be read.
    func isUnreadable(_ source: NavigationSource) -> Bool {
        let term = "Org.OData.Capabilities.V1.ReadRestrictions"
        return annotations(of: source).value(of: term)?["Readable"]?.bool == false
    }
}
