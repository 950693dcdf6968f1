import ODataModel

/// Who extends whom, worked out once for a model; the model itself would walk its types for each question.
struct TypeHierarchy: Sendable {
    /// From the most basic type to the type itself, by type.
    private let lineages: [[StructuredTypeID]]
    /// The type itself, then the types that extend it, directly or not, in model order.
    private let families: [[StructuredTypeID]]

    init(_ model: EdmModel) {
        let types = model.structuredTypes.indices.map(StructuredTypeID.init)
        lineages = types.map { model.lineage(of: $0) }
        var families = types.map { [$0] }
        for type in types {
            for ancestor in lineages[type.index] where ancestor != type {
                families[ancestor.index].append(type)
            }
        }
        self.families = families
    }

    /// The chain from the type's most basic type to the type itself.
    func lineage(of type: StructuredTypeID) -> [StructuredTypeID] { lineages[type.index] }

    /// The types that are or extend the given one, itself first, in model order.
    func family(of type: StructuredTypeID) -> [StructuredTypeID] { families[type.index] }

    /// Whether a type is another or extends it.
    func type(_ type: StructuredTypeID, isOrExtends ancestor: StructuredTypeID) -> Bool {
        lineages[type.index].contains(ancestor)
    }
}
