import ODataValues
import ODataSQL
import ODataBinding
import ODataModel
import ODataPayload
import ODataAnswers
import ODataTables

/// The entities that the files of an import hold, by what can name them, and the files that name entities.
package struct ImportedEntities: Sendable {
    private var paths: Set<[Step]> = []
    /// Ids that entities state themselves, with the source of each.
    private var ids: [String: NavigationSource] = [:]
    private var sources: Set<NavigationSource> = []
    /// Names of the sets whose files name entities.
    private(set) var referring: Set<String> = []
    /// Entities that foreign keys of the files lead to.
    private var principals: Set<ImportedPrincipal> = []
    /// Entities of all files, with those inside of others.
    package private(set) var entityCount = 0
    /// References of all files.
    package private(set) var linkCount = 0

    /// A part of the path to an entity.
    private enum Step: Hashable, Sendable {
        case source(NavigationSource)
        case key([Scalar])
        case navigation(NavigationPropertyID)

        /// Whether a key is not said.
        var isUnknown: Bool {
            if case .key(let key) = self { key.contains(.null) } else { false }
        }
    }

    package init() {}

    // MARK: Noting

    /// Notes an entity of a file with those inline.
    mutating func note(
        _ body: EntityBody,
        in source: NavigationSource,
        ofFile set: String,
        schema: TableSchema
    ) {
        if note(body, in: source, at: [.source(source)], schema: schema) { referring.insert(set) }
    }

    /// Answers whether the entity, or one inside of it, names others.
    private mutating func note(
        _ body: EntityBody,
        in source: NavigationSource,
        at place: [Step],
        schema: TableSchema
    ) -> Bool {
        let path = place + key(of: body, in: source, schema)
        // One that stands inside of several others is one entity.
        if paths.insert(path).inserted || path.contains(where: \.isUnknown) { entityCount += 1 }
        sources.insert(source)
        linkCount += body.bindings.count
        if let id = body.control[.id] { ids[id] = source }
        for relation in schema.layout.principals(of: source) {
            if let principal = ImportedPrincipal(relation, of: body, in: schema) {
                principals.insert(principal)
            }
        }
        var isReferring = !body.bindings.isEmpty
        for inline in body.inline {
            let isContained = schema.model[inline.navigation].containsTarget
            guard let target = schema.model.target(of: inline.navigation, from: source) else {
                continue
            }
            let start: [Step] =
                isContained ? path + [.navigation(inline.navigation)] : [.source(target)]
            for entity in inline.entities where note(entity, in: target, at: start, schema: schema)
            {
                isReferring = true
            }
        }
        return isReferring
    }

    /// The key, where there are several entities to choose from.
    private func key(of body: EntityBody, in source: NavigationSource, _ schema: TableSchema)
        -> [Step]
    {
        switch source {
        case .singleton: return []
        case .contained(let id) where !schema.model[id].isCollection: return []
        default:
            let columns = schema.layout[source]?.keyColumns ?? []
            return [.key(columns.map { body.value(of: $0) ?? .null })]
        }
    }

    // MARK: Finding

    /// The source of the entity of the files that states an id; nil where none does.
    func source(ofID id: String) -> NavigationSource? { ids[id] }

    /// The entities that foreign keys lead to and that are in no file.
    var absentPrincipals: Set<ImportedPrincipal> {
        principals.filter { !paths.contains([.source($0.source), .key($0.key)]) }
    }

    /// Whether the files hold the entity of a path.
    ///
    /// Where a path leads by another way than keys and containment, its first set has to be among the files.
    func holds(_ path: EntityPath, in schema: TableSchema) -> Bool {
        var steps: [Step] = [.source(path.source)]
        for step in path.steps {
            switch step {
            case .key(let key): steps.append(.key(key))
            case .navigation(let id, _) where schema.model[id].containsTarget:
                steps.append(.navigation(id))
            case .cast: continue
            case .navigation, .alternateKey, .localID, .complex:
                return sources.contains(path.source)
            }
        }
        return paths.contains(steps)
    }
}
