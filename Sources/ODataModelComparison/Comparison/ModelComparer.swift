import ODataModel

/// Gathers the differences of two models; types are matched by qualified name.
struct ModelComparer {
    let old: EdmModel
    let new: EdmModel
    var changes: [ModelChange] = []

    init(old: EdmModel, new: EdmModel) {
        self.old = old
        self.new = new
    }

    mutating func compare() {
        compareVersions()
        compareStructuredTypes()
        compareEnumerations()
        compareDefinitions()
        compareOperations()
        compareContainers()
    }

    mutating func note(
        _ change: ModelChange.Kind,
        what: ModelChange.Subject,
        at path: String,
        isCompatible: Bool,
        detail: String = "",
        isWarning: Bool = false,
        operation: Int? = nil
    ) {
        var change = ModelChange(
            path: path,
            change: change,
            what: what,
            isCompatible: isCompatible,
            detail: detail
        )
        change.isWarning = isWarning
        change.operation = operation
        changes.append(change)
    }

    private mutating func compareVersions() {
        guard old.version != new.version else { return }
        let step = "version \(old.version.rawValue) became \(new.version.rawValue)"
        if old.version.isV4 == new.version.isV4 {
            note(.changed, what: .version, at: "", isCompatible: true, detail: step)
        } else {
            let reason = step + "; the protocols differ, a store speaks one of them"
            note(.changed, what: .version, at: "", isCompatible: false, detail: reason)
        }
    }
}

// MARK: - Words

extension ModelComparer {
    /// Returns the target of a navigation property, `Collection(NS.Type)`.
    static func describe(_ property: NavigationProperty, in model: EdmModel) -> String {
        let name =
            property.target.map { model[$0].name }
            ?? model.resolvingAlias(property.targetName) ?? property.targetName
        return property.isCollection ? "Collection(\(name))" : name
    }

    /// Returns the elements by name; the first of a name counts, as in look-ups.
    static func byName<Element>(_ elements: [Element], name: (Element) -> String)
        -> [String: Element]
    {
        Dictionary(elements.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
}
