import ODataText

/// Finds what annotations are about by name, with tables that are made when they are first needed.
///
/// A document may annotate as many elements as it declares, so a search for each would take quadratic time.
struct MemberTables {
    /// Up to how many members a search is as cheap as a table.
    static let threshold = 64
    /// Most overloads and parameters that one target reaches; real documents have some hundred overloads of a name.
    static let maximumCount = 1_000

    /// What a container holds, by its place there.
    enum Child {
        case entitySet(Int)
        case singleton(Int)
        case functionImport(Int)
        case actionImport(Int)
    }

    private var types: [StructuredTypeID: [Int32: Int32]] = [:]
    private var enumerations: [EnumTypeID: [String: Int]] = [:]
    private var operations: [String: [Int]]?
    private var containers: Set<String>?
    private var children: [String: [Child]]?

    /// Returns where a member of a structured type stands, as `MemberPlace` has it.
    mutating func place(
        of symbol: Int,
        in id: StructuredTypeID,
        _ members: ArraySlice<CSDLAssembly.MemberPlace>
    ) -> Int? {
        let key = Int32(truncatingIfNeeded: symbol)
        if let table = types[id] { return table[key].map(Int.init) }
        let table = Dictionary(
            members.map { ($0.symbol, $0.place) },
            uniquingKeysWith: { first, _ in first }
        )
        types[id] = table
        return table[key].map(Int.init)
    }

    /// Returns the place of a member of an enumeration.
    mutating func member(_ name: String, of id: EnumTypeID, in model: EdmModel) -> Int? {
        let members = model.enumTypes[id.index].members
        guard members.count > Self.threshold else { return members.firstIndex { $0.name == name } }
        if let table = enumerations[id] { return table[name] }
        let table = Dictionary(
            members.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        enumerations[id] = table
        return table[name]
    }

    /// Returns whether a container of the documents has this name.
    mutating func isContainer(_ name: String, in assembly: CSDLAssembly) -> Bool {
        let known = containers ?? Set(assembly.containers.map(\.name))
        containers = known
        return known.contains(name)
    }

    /// Returns what the container holds under a name: one thing, or overloaded imports.
    mutating func children(named name: String, of container: EntityContainer) -> [Child] {
        let known = children ?? MemberTables.children(of: container)
        children = known
        return known[name] ?? []
    }

    private static func children(of container: EntityContainer) -> [String: [Child]] {
        var all: [String: [Child]] = [:]
        let add = { (name: String, child: Child) in
            if all[name, default: []].count < maximumCount { all[name, default: []].append(child) }
        }
        for (index, set) in container.entitySets.enumerated() { add(set.name, .entitySet(index)) }
        for (index, one) in container.singletons.enumerated() { add(one.name, .singleton(index)) }
        for (index, imported) in container.functionImports.enumerated() {
            add(imported.name, .functionImport(index))
        }
        for (index, imported) in container.actionImports.enumerated() {
            add(imported.name, .actionImport(index))
        }
        return all
    }

    /// Returns the places of the overloads of an operation, with parameters those whose first one has this type.
    mutating func operations(named name: String, _ parameters: String, of assembly: CSDLAssembly)
        -> ArraySlice<Int>
    {
        let known = operations ?? MemberTables.operations(of: assembly.model)
        operations = known
        guard !parameters.isEmpty else { return (known[name] ?? []).prefix(Self.maximumCount) }
        let first = parameters.dropFirst().prefix { $0 != "," && $0 != ")" }
        let (written, isCollection) = WrittenType.split(
            first.hasPrefix("Collection(") ? first + ")" : String(first.trimmed())
        )
        let full = assembly.expanded(written)
        let key = name + (isCollection ? "(Collection(\(full))" : "(\(full)")
        return (known[key] ?? []).prefix(Self.maximumCount)
    }

    /// Each operation by its name, and by its name and the type of its first parameter.
    private static func operations(of model: EdmModel) -> [String: [Int]] {
        var all: [String: [Int]] = [:]
        for (index, operation) in model.operations.enumerated() {
            all[operation.name, default: []].append(index)
            let first = operation.parameters.first.map {
                model.text(of: $0.type)
            }
            all[operation.name + "(" + (first ?? ""), default: []].append(index)
        }
        return all
    }
}
