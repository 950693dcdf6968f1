import ODataBinding
import ODataModel
import ODataPayload
import ODataSQL
import ODataTables
import ODataValues

/// What a foreign key of a file leads to: one entity, or where several relations share its properties, one of several.
package struct ImportedPrincipals: Hashable, Sendable {
    package let candidates: [ImportedPrincipal]

    /// Returns what the foreign keys of an entity lead to, each with its first relation.
    static func all(of body: EntityBody, in source: NavigationSource, _ schema: TableSchema)
        -> [(relation: PrincipalRelation, principals: ImportedPrincipals)]
    {
        var found: [(relation: PrincipalRelation, candidates: [ImportedPrincipal])] = []
        for relation in schema.layout.principals(of: source) {
            guard let principal = ImportedPrincipal(relation, of: body, in: schema) else {
                continue
            }
            let properties = relation.pairs.map(\.here)
            if let place = found.firstIndex(where: { $0.relation.pairs.map(\.here) == properties })
            {
                found[place].candidates.append(principal)
            } else {
                found.append((relation, [principal]))
            }
        }
        return found.map { ($0.relation, ImportedPrincipals(candidates: $0.candidates)) }
    }
}

/// An entity that a foreign key of a file may lead to.
package struct ImportedPrincipal: Hashable, Sendable {
    let source: NavigationSource
    let key: [Scalar]

    /// Takes the key from a dependent entity; nil where it holds none, or says by a link where the relation leads.
    init?(_ relation: PrincipalRelation, of body: EntityBody, in schema: TableSchema) {
        guard case .entitySet = relation.target, let table = schema.layout[relation.target],
            !body.bindings.contains(where: { $0.navigation == relation.navigation }),
            !body.inline.contains(where: { $0.navigation == relation.navigation })
        else { return nil }
        let key = table.keyColumns.compactMap { column in
            relation.pairs.first { $0.there == column }.flatMap { body.value(of: $0.here) }
        }
        guard key.count == table.keyColumns.count, !key.isEmpty, !key.contains(.null) else {
            return nil
        }
        (source, self.key) = (relation.target, key)
    }

    /// The path of the entity.
    var path: EntityPath {
        var path = EntityPath(source: source)
        path.steps.append(.key(key))
        return path
    }
}

extension EntityBody {
    /// Refuses a foreign key that leads to one of these entities.
    ///
    /// - Throws: `PayloadRefusal` at the first property of the key.
    func refuseForeignKeys(
        to absent: Set<ImportedPrincipals>,
        in source: NavigationSource,
        at place: String = "",
        schema: TableSchema
    ) throws {
        for (relation, principals) in ImportedPrincipals.all(of: self, in: source, schema) {
            guard absent.contains(principals), let table = schema.layout[source] else { continue }
            let names = relation.pairs.map { table.columns[$0.here].path.joined(separator: "/") }
            throw PayloadRefusal(
                "\(place)\(names.joined(separator: ", ")) leads to an entity of \(schema.model.name(of: relation.target)) that is"
                    + " neither in a file nor in the store: import that entity too, or correct the key",
                at: place + (names.first ?? "")
            )
        }
        for inline in inline {
            guard let target = schema.model.target(of: inline.navigation, from: source) else {
                continue
            }
            let name = place + schema.model[inline.navigation].name
            for (index, entity) in inline.entities.enumerated() {
                let isCollection = schema.model[inline.navigation].isCollection
                try entity.refuseForeignKeys(
                    to: absent,
                    in: target,
                    at: isCollection ? "\(name)[\(index)]/" : name + "/",
                    schema: schema
                )
            }
        }
    }
}
