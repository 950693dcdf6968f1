import ODataModel

/// The types that the entities of some sets have and use.
struct TypeSelection: Sendable {
    /// Names of the sets and singletons.
    let sets: Set<String>
    /// Entity and complex types, in model order.
    private(set) var structured: [StructuredTypeID] = []
    /// Enumerations, in model order.
    private(set) var enumerations: [EnumTypeID] = []
    private var structuredIDs: Set<StructuredTypeID> = []
    private var enumerationIDs: Set<EnumTypeID> = []

    init(_ model: EdmModel, sets: [String]) {
        self.sets = Set(sets)
        let container = model.container
        // A document without sets describes types for others.
        let isWhole = container.entitySets.isEmpty && container.singletons.isEmpty
        let types =
            isWhole
            ? model.structuredTypes.indices.map(StructuredTypeID.init)
            : container.entitySets.filter { self.sets.contains($0.name) }.map(\.type)
                + container.singletons.filter { self.sets.contains($0.name) }.map(\.type)
        let children = Dictionary(
            grouping: model.structuredTypes.indices.map(StructuredTypeID.init)
        ) {
            model[$0].baseType
        }
        for type in types { add(type, model, children) }
        structured = model.structuredTypes.indices.map(StructuredTypeID.init)
            .filter { structuredIDs.contains($0) }
        enumerations = model.enumTypes.indices.map(EnumTypeID.init)
            .filter { enumerationIDs.contains($0) }
    }

    func contains(_ id: StructuredTypeID) -> Bool { structuredIDs.contains(id) }

    private mutating func add(
        _ id: StructuredTypeID,
        _ model: EdmModel,
        _ children: [StructuredTypeID?: [StructuredTypeID]]
    ) {
        var waiting = [id]
        while let id = waiting.popLast() {
            guard structuredIDs.insert(id).inserted else { continue }
            // A value may have a type below the one that is declared.
            waiting += children[id] ?? []
            for property in model.properties(of: id) {
                switch property.type.type {
                case .structured(let id): waiting.append(id)
                case .enumeration(let id): enumerationIDs.insert(id)
                default: break
                }
            }
            // Contained entities are reached through their parents alone.
            for navigation in model.navigationProperties(of: id) where navigation.containsTarget {
                if let target = navigation.target { waiting.append(target) }
            }
        }
    }
}
