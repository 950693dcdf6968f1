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
