import ODataModelComparison
import ODataModel

/// Which entities may have more values under a new model: those whose types, or types of values in them, have changed.
struct UpgradedTypes {
    private let model: EdmModel
    /// Names of types that have changed themselves.
    private var names: Set<String> = []
    /// Structured types that have changed, or have properties of a changed type.
    private var touched: Set<StructuredTypeID> = []

    init(_ comparison: ModelComparison, model: EdmModel) {
        self.model = model
        for change in comparison.changes { note(change) }
        if !names.isEmpty { spread() }
    }

    /// Types and properties are named `NS.Type` and `NS.Type/Property`; new types bring nothing to the entities that are there.
    private mutating func note(_ change: ModelChange) {
        switch change.what {
        case .property, .navigationProperty, .enumMember: break
        case .entityType, .complexType, .enumType, .typeDefinition:
            guard change.change == .changed else { return }
        default: return
        }
        names.insert(change.path.split(separator: "/").first.map(String.init) ?? change.path)
    }

    /// Follows properties from the changed types to the types that hold them, until nothing is new.
    private mutating func spread() {
        let all = model.structuredTypes.indices.map(StructuredTypeID.init)
        touched = Set(all.filter { names.contains(model[$0].name) })
        var count = -1
        while count != touched.count {
            count = touched.count
            for type in all where !touched.contains(type) {
                if holdsTouched(type) { touched.insert(type) }
            }
        }
    }

    private func holdsTouched(_ type: StructuredTypeID) -> Bool {
        if let base = model[type].baseType, touched.contains(base) { return true }
        return model[type].properties.contains { property in
            switch property.type.type {
            // A value may be of any type that extends the declared one.
            case .structured(let id): touched.contains { model.type($0, isOrExtends: id) }
            case .enumeration(let id): names.contains(model[id].name)
            case .definition(let id): names.contains(model[id].name)
            default: false
            }
        }
    }

    /// Whether entities of a source may have more values.
    func contains(_ source: NavigationSource) -> Bool {
        guard !touched.isEmpty, let declared = model.entityType(of: source) else { return false }
        return touched.contains {
            model.type($0, isOrExtends: declared) || model.type(declared, isOrExtends: $0)
        }
    }
}
