/// An entity container before types are resolved and extended containers merged.
struct ContainerDraft {
    /// Qualified name.
    var name: String
    /// Container that this one extends, as written.
    var extends: String?
    /// `m:IsDefaultEntityContainer`.
    var isDefault = false
    /// Whether the document itself declares it, not one that it refers to.
    var isOwn = true
    var sources: [SourceDraft] = []
    var functionImports: [OperationImport] = []
    var actionImports: [OperationImport] = []
    var associationSets: [AssociationSet] = []
    var annotations: [Annotation] = []
    var line: Int
    /// What stands before the names of its sets and imports; empty for the container that counts.
    var prefix = ""

    /// The name without its namespace.
    var simpleName: String { name.split(separator: ".").last.map(String.init) ?? name }

    /// The name by which the container itself knows a set; nil for a set of another one.
    ///
    /// - Parameter isKnown: Whether the name begins with that of a container.
    func shortName(of set: String, isKnown: Bool) -> String? {
        guard !prefix.isEmpty else { return isKnown ? nil : set }
        return set.hasPrefix(prefix) ? String(set.dropFirst(prefix.utf8.count)) : nil
    }

    /// An entity set or a singleton.
    struct SourceDraft {
        var isSingleton: Bool
        var name: String
        /// Entity type as written.
        var type: NamedType
        var isInServiceDocument = true
        var isNullable = false
        var bindings: [NavigationBinding] = []
        var annotations: [Annotation] = []
        var line: Int
    }
}
