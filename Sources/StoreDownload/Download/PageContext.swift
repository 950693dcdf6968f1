package import ODataBinding
import StoreRecords
import ODataSQL
package import ODataModel

/// What the context URL of a page says about its entities (OData 4.01 Part 1 § 10).
package struct PageContext {
    private let fragment: Substring
    private let model: EdmModel

    package init(_ context: String?, model: EdmModel) {
        fragment =
            context.flatMap { text in
                text.firstIndex(of: "#").map { text[text.index(after: $0)...] }
            } ?? ""
        self.model = model
    }

    /// Refuses a page whose context names an entity set that is surely not the one asked for.
    ///
    /// Behind a navigation property the set may be another one than the model says, but not one of an unrelated type.
    func check(_ path: EntityPath, isNested: Bool) throws {
        guard !isNested, let name = otherSet(than: path) else { return }
        throw StoreError(
            .invalid,
            "the service sent entities of \(name) where others were asked for"
        )
    }

    /// Name of the entity set that the context names, where it is surely another one than that of a path.
    package func otherSet(than path: EntityPath) -> String? {
        guard let named = namedSet() else { return nil }
        if path.steps.allSatisfy(\.staysInSet) {
            guard named != path.source, case .entitySet = path.source else { return nil }
        } else {
            guard let asked = path.entityType(in: model), let came = model.entityType(of: named),
                !model.type(came, isOrExtends: asked), !model.type(asked, isOrExtends: came)
            else { return nil }
        }
        return model.name(of: named)
    }

    /// The entity set that the context names, if it names nothing below it.
    private func namedSet() -> NavigationSource? {
        let name = fragment.prefix { $0 != "/" && $0 != "(" }
        let rest = fragment.dropFirst(name.count)
        // `Set(key)/Navigation` is the place of contained entities, or of those of a navigation property.
        if rest.first == "(", rest.contains(")/"), !rest.hasSuffix(")/$entity"),
            !rest.hasSuffix(")/$delta")
        {
            return nil
        }
        guard let source = model.navigationSource(named: String(name)), case .entitySet = source
        else { return nil }
        return source
    }
}

extension EntityPath.Step {
    /// Whether the entities reached are still some of the set before.
    fileprivate var staysInSet: Bool {
        switch self {
        case .key, .alternateKey, .localID, .cast: true
        case .navigation, .complex: false
        }
    }
}
