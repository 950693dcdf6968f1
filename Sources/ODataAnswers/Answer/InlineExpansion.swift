import ODataBinding
import ODataModel
import ODataTables

/// Expands the answer to a change at least as far as its body went (OData 4.01 Part 1 §§ 11.4.2.2, 11.4.3.1).
struct InlineExpansion {
    let model: EdmModel

    /// The options of an answer, with the navigation properties expanded that a body has entities of.
    func options(_ options: BoundOptions, for body: EntityBody, at source: NavigationSource?)
        -> BoundOptions
    {
        // Versions 1 to 3 answer the entity alone.
        guard model.version.isV4, let source else { return options }
        return self.options(options, for: [body], at: source)
    }

    private func options(
        _ options: BoundOptions,
        for bodies: [EntityBody],
        at source: NavigationSource
    ) -> BoundOptions {
        var options = options
        var entities: [NavigationPropertyID: [EntityBody]] = [:]
        for inline in bodies.flatMap(\.inline) {
            entities[inline.navigation, default: []] += inline.entities
        }
        for (navigation, inner) in entities.sorted(by: { isBefore($0.key, $1.key) }) {
            guard !options.expand.contains(where: { $0.navigation == navigation }),
                let target = model.target(of: navigation, from: source)
            else { continue }
            var expand = BoundExpand(navigation: navigation, target: target)
            expand.options = self.options(expand.options, for: inner, at: target)
            options.expand.append(expand)
        }
        return options
    }

    /// In the order of the model, so that equal requests have equal answers.
    private func isBefore(_ one: NavigationPropertyID, _ other: NavigationPropertyID) -> Bool {
        (one.type.index, one.index) < (other.type.index, other.index)
    }
}
