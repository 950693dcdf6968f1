import ODataValues
import ODataSQL
import ODataBinding
import ODataModel
import ODataPayload
import ODataAnswers
import ODataTables

/// The entities that the files of an import hold, by what can name them, and the files that name entities.
package struct ImportedEntities: Sendable {
    private var values: [[Step]: StatedValues] = [:]
    /// Ids that entities state themselves, with the source of each.
    private var ids: [String: NavigationSource] = [:]
    private var sources: Set<NavigationSource> = []
    /// Names of the sets whose files name entities.
    private(set) var referring: Set<String> = []
    /// Entities that foreign keys of the files lead to.
    private var principals: Set<ImportedPrincipals> = []
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

    /// Whether all that the files say of one entity has to be the same.
    private let isChecked: Bool

    /// - Parameter values: What the files hold; copies of a service's data may have been taken at several moments.
    package init(values: ImportedValues = .declared) {
        isChecked = values == .declared
    }

    // MARK: Noting

    /// Notes an entity of a file with those inline.
    ///
    /// - Throws: `PayloadRefusal` where it says otherwise of an entity than the files have done before.
    mutating func note(
        _ body: EntityBody,
        in source: NavigationSource,
        ofFile set: String,
        schema: TableSchema
    ) throws {
        let place = Place(steps: [.source(source)], source: source, name: "")
        let stated = statement(of: body, in: source, schema)
        if try note(body, at: place, stating: stated, schema) { referring.insert(set) }
    }

    /// Where an entity stands.
    private struct Place {
        /// What its key follows.
        var steps: [Step]
        var source: NavigationSource
        /// The path from the entity of the file, with a slash at its end; empty for that entity itself.
        var name: String
    }

    /// Answers whether the entity, or one inside of it, names others.
    private mutating func note(
        _ body: EntityBody,
        at place: Place,
        stating stated: StatedValues,
        _ schema: TableSchema
    ) throws -> Bool {
        let source = place.source
        let path = place.steps + key(of: body, in: source, schema)
        try take(stated, ofEntityAt: path, place, schema)
        sources.insert(source)
        linkCount += body.bindings.count
        if let id = body.control[.id] { ids[id] = source }
        principals.formUnion(ImportedPrincipals.all(of: body, in: source, schema).map(\.principals))
        var isReferring = !body.bindings.isEmpty
        for inline in body.inline {
            let navigation = schema.model[inline.navigation]
            guard let target = schema.model.target(of: inline.navigation, from: source) else {
                continue
            }
            let start: [Step] =
                navigation.containsTarget
                ? path + [.navigation(inline.navigation)] : [.source(target)]
            for (index, entity) in inline.entities.enumerated() {
                let item =
                    navigation.isCollection
                    ? "\(navigation.name)[\(index)]/" : navigation.name + "/"
                let inner = Place(steps: start, source: target, name: place.name + item)
                var stated = statement(of: entity, in: target, schema)
                if isChecked {
                    stated.addForeignKey(
                        to: body,
                        through: inline.navigation,
                        from: source,
                        schema.layout
                    )
                }
                if try note(entity, at: inner, stating: stated, schema) { isReferring = true }
            }
        }
        return isReferring
    }

    /// Counts an entity, one that stands inside of several others once, and adds what is said of it.
    private mutating func take(
        _ stated: StatedValues,
        ofEntityAt path: [Step],
        _ place: Place,
        _ schema: TableSchema
    ) throws {
        guard !path.contains(where: \.isUnknown), var known = values[path] else {
            entityCount += 1
            values[path] = stated
            return
        }
        if let slot = known.add(stated), let table = schema.layout[place.source] {
            let name = place.name + table.columns[slot].path.joined(separator: "/")
            throw PayloadRefusal(
                "\(name) is another value than the same entity has in another place: make them the same, or leave one out",
                at: name
            )
        }
        values[path] = known
    }

    /// What has to be the same wherever an entity stands; nothing where that is not checked.
    private func statement(of body: EntityBody, in source: NavigationSource, _ schema: TableSchema)
        -> StatedValues
    {
        isChecked ? StatedValues(body, in: source, schema.layout) : StatedValues()
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
    var absentPrincipals: Set<ImportedPrincipals> {
        principals.filter { principals in
            !principals.candidates.contains {
                values.keys.contains([.source($0.source), .key($0.key)])
            }
        }
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
        return values.keys.contains(steps)
    }
}
