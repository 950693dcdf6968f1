import ODataText
import OfflineValues
import OfflineProvider
import ODataModel

/// Compares what the entities of a set, or a singleton, lead to: contained entities at every depth, and links, also of contained ones.
struct RelatedComparison: Sendable {
    let comparison: ServiceComparison
    /// Name of the set or singleton.
    let root: String
    /// The entities that both sides have and that are compared, by their URL.
    let shared: Set<String>
    /// Keys of entities with changes of their own by their set.
    let changed: [String: Set<String>]
    /// URLs of what has changes that wait or were refused.
    let changedURLs: Set<String>

    private var model: EdmModel { comparison.model }

    /// Navigation properties that lead from the root to contained entities.
    private struct Path {
        var steps: [Step] = []
        var source: NavigationSource
        var type: StructuredTypeID
    }

    private struct Step {
        var id: NavigationPropertyID
        var name: String
        /// `Items`, or `Model.Rush/Stops`.
        var segment: String
        var isCollection: Bool
    }

    /// What a property leads to by the key of the target.
    private typealias Targets = [String: [(name: String, value: ODataValue)]]

    /// Returns what differs, and how many contained entities were compared.
    func compare(_ source: NavigationSource) async throws -> OfflineODataComparison {
        var found = OfflineODataComparison()
        guard let type = model.entityType(of: source) else { return found }
        var paths = [Path(source: source, type: type)]
        while let path = paths.popLast() {
            for step in steps(from: path.type) {
                try Task.checkCancellation()
                guard let target = model.target(of: step.id, from: path.source),
                    let targetType = model[step.id].target
                else { continue }
                let isContained = model[step.id].containsTarget
                guard isContained || comparison.links.hold(step.id, from: path.source, to: target)
                else { continue }
                var next = path
                next.steps.append(step)
                (next.source, next.type) = (target, targetType)
                let here = try await targets(next, from: comparison.store)
                let there = try await targets(next, from: comparison.copy)
                guard isContained else {
                    found.differences += try await links(
                        here,
                        there: there,
                        step: step,
                        from: path.source,
                        to: target
                    )
                    continue
                }
                found.add(
                    try await contained(here, there: there, step: step, of: targetType, in: target)
                )
                let isEmpty =
                    here.values.allSatisfy(\.isEmpty) && there.values.allSatisfy(\.isEmpty)
                // A type may contain itself: what is not there has no depth.
                if !isEmpty { paths.append(next) }
            }
        }
        return found
    }

    private func steps(from type: StructuredTypeID) -> [Step] {
        let lineage = model.lineage(of: type)
        let all = lineage + model.hierarchy(below: type).dropFirst()
        return all.flatMap { owner in
            model[owner].navigationProperties.indices.map { index in
                let id = NavigationPropertyID(type: owner, index: index)
                let name = model[id].name
                return Step(
                    id: id,
                    name: name,
                    segment: lineage.contains(owner) ? name : model[owner].name + "/" + name,
                    isCollection: model[id].isCollection
                )
            }
        }
    }

    // MARK: Comparing

    private func links(
        _ here: [String: Targets],
        there: [String: Targets],
        step: Step,
        from source: NavigationSource,
        to target: NavigationSource
    ) async throws -> [OfflineODataDifference] {
        let passedOver = changed[model.name(of: target)] ?? []
        var found: [OfflineODataDifference] = []
        for owner in Set(here.keys).intersection(there.keys).sorted() {
            let one = Set((here[owner] ?? [:]).keys).subtracting(passedOver)
            let other = Set((there[owner] ?? [:]).keys).subtracting(passedOver)
            guard one != other, !isChanged(owner),
                try await comparison.holdsLinks(step.id, of: owner, from: source)
            else { continue }
            found.append(OfflineODataDifference(owner, kind: .link, properties: [step.name]))
        }
        return found
    }

    private func contained(
        _ here: [String: Targets],
        there: [String: Targets],
        step: Step,
        of type: StructuredTypeID,
        in source: NavigationSource
    ) async throws -> OfflineODataComparison {
        var found = OfflineODataComparison()
        for owner in Set(here.keys).intersection(there.keys).sorted() {
            let (one, other) = (here[owner] ?? [:], there[owner] ?? [:])
            for key in Set(one.keys).union(other.keys).sorted() {
                let url = self.url(owner, step: step, key: key)
                guard !isChanged(url) else {
                    found.passedOverCount += 1
                    continue
                }
                if one[key] != nil { found.comparedCount += 1 }
                // No query may bring what was created here at that depth.
                if other[key] == nil, try await comparison.isOutsideOfQueries(url) { continue }
                found.differences += difference(
                    url,
                    here: one[key],
                    there: other[key],
                    of: type,
                    in: source
                )
            }
        }
        return found
    }

    private func difference(
        _ url: String,
        here: [(name: String, value: ODataValue)]?,
        there: [(name: String, value: ODataValue)]?,
        of type: StructuredTypeID,
        in source: NavigationSource
    ) -> [OfflineODataDifference] {
        guard let here else { return [OfflineODataDifference(url, kind: .missing)] }
        guard let there else { return [OfflineODataDifference(url, kind: .extra)] }
        let names = comparison.names(
            comparison.texts.properties(of: here, type),
            comparison.texts.properties(of: there, type),
            of: type,
            in: source
        )
        return names.isEmpty
            ? [] : [OfflineODataDifference(url, kind: .different, properties: names)]
    }

    private func isChanged(_ url: String) -> Bool {
        let url = PercentEncoding.decoded(url)
        return changedURLs.contains {
            $0 == url || $0.hasPrefix(url + "/") && $0.hasSuffix("/$ref")
        }
    }

    private func url(_ owner: String, step: Step, key: String) -> String {
        "\(owner)/\(step.segment)" + (step.isCollection ? "(\(key))" : "")
    }

    // MARK: Reading

    /// What the last property of a path leads to, by the URL of its owner.
    private func targets(_ path: Path, from provider: OfflineODataProvider) async throws
        -> [String: Targets]
    {
        var found: [String: Targets] = [:]
        let expand = "$expand=" + Self.expand(path.steps[...])
        try await comparison.forEachEntity(of: root, option: expand, from: provider) { entity in
            guard let url = comparison.url(of: entity.members, in: root), shared.contains(url)
            else {
                return
            }
            collect(entity.members, owner: url, steps: path.steps[...], of: path.type, into: &found)
        }
        return found
    }

    private static func expand(_ steps: ArraySlice<Step>) -> String {
        guard let first = steps.first else { return "" }
        let rest = steps.dropFirst()
        return first.segment + (rest.isEmpty ? "" : "($expand=" + expand(rest) + ")")
    }

    private func collect(
        _ members: [(name: String, value: ODataValue)],
        owner: String,
        steps: ArraySlice<Step>,
        of type: StructuredTypeID,
        into found: inout [String: Targets]
    ) {
        guard let step = steps.first else { return }
        let objects: [[(name: String, value: ODataValue)]] =
            switch members.last(where: { $0.name == step.name })?.value {
            case .collection(let items)?:
                items.compactMap { if case .object(let members) = $0 { members } else { nil } }
            case .object(let members)?: [members]
            default: []
            }
        let rest = steps.dropFirst()
        if rest.isEmpty { found[owner] = found[owner] ?? [:] }
        guard let target = model[step.id].target else { return }
        for object in objects {
            let isOne = model[step.id].containsTarget && !step.isCollection
            guard let key = isOne ? "" : comparison.key(of: object, target) else { continue }
            if rest.isEmpty {
                found[owner, default: [:]][key] = object
            } else {
                collect(
                    object,
                    owner: url(owner, step: step, key: key),
                    steps: rest,
                    of: type,
                    into: &found
                )
            }
        }
    }
}
