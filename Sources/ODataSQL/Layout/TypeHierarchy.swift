import ODataModel

/// Who extends whom, worked out once for a model; the model itself would walk its types for each question.
struct TypeHierarchy: Sendable {
    private let bases: [StructuredTypeID?]
    /// By type: those that extend it, directly or not, in model order.
    private let extending: [[StructuredTypeID]]

    init(_ model: EdmModel) {
        // By index: a loop over the values would copy each.
        bases = model.structuredTypes.indices.map { model.structuredTypes[$0].baseType }
        var extending = [[StructuredTypeID]](repeating: [], count: bases.count)
        for index in bases.indices {
            var ancestor = bases[index]
            // As often as there are types: a model that was made by hand may extend in a circle.
            for _ in bases {
                guard let here = ancestor else { break }
                extending[here.index].append(StructuredTypeID(index))
                ancestor = bases[here.index]
            }
        }
        self.extending = extending
    }

    /// The chain from the type's most basic type to the type itself.
    func lineage(of type: StructuredTypeID) -> [StructuredTypeID] {
        var chain = [type]
        while let base = bases[chain[chain.count - 1].index], chain.count <= bases.count {
            chain.append(base)
        }
        return chain.reversed()
    }

    /// The types that are or extend the given one, itself first, in model order.
    func family(of type: StructuredTypeID) -> [StructuredTypeID] {
        [type] + extending[type.index]
    }

    /// Whether a type is another or extends it.
    func type(_ type: StructuredTypeID, isOrExtends ancestor: StructuredTypeID) -> Bool {
        type == ancestor || extending[ancestor.index].contains(type)
    }
}
