import ODataModel
import ODataProtocol

/// Makes the layout of one table.
struct TableBuilder {
    /// SQLite allows 2,000 columns; the rest of an entity's properties is kept as JSON in `$dynamic`.
    static let maximumColumnCount = 1_000
    /// A complex property with more leaves than this is one JSON column.
    static let maximumFlattenedLeaves = 32
    /// Complex properties nested deeper than this are JSON.
    static let maximumFlatteningDepth = 4

    let source: NavigationSource
    let entityType: StructuredTypeID
    let model: EdmModel
    var names: LayoutNames

    private var table = ""
    private var columns: [Column] = []

    init(
        source: NavigationSource,
        entityType: StructuredTypeID,
        model: EdmModel,
        names: LayoutNames
    ) {
        self.source = source
        self.entityType = entityType
        self.model = model
        self.names = names
    }

    mutating func build() -> TableLayout {
        let sourceName = model.name(of: source)
        table = names.name(of: sourceName, in: "", preferring: sourceName)
        let types = orderedTypes()
        for type in lineagesOnce(of: types) {
            for property in model[type].properties {
                addColumns(for: property, path: [property.name], declaringType: type, depth: 0)
            }
        }
        markKey()
        return TableLayout(
            source: source,
            name: table,
            entityType: entityType,
            types: types,
            columns: columns,
            keyColumns: keyColumns(),
            isContained: isContained
        )
    }

    private var isContained: Bool {
        if case .contained = source { true } else { false }
    }

    /// Types of the hierarchy by their codes.
    private mutating func orderedTypes() -> [StructuredTypeID] {
        let hierarchy = model.hierarchy(below: entityType)
        var coded: [(code: Int, type: StructuredTypeID)] = []
        var next = names.entries.filter {
            $0.key.table == table && $0.key.element.hasPrefix("type:")
        }.count
        for type in hierarchy {
            let code = names.typeCode(of: model[type].name, in: table, next: next)
            if code == next { next += 1 }
            coded.append((code, type))
        }
        return coded.sorted { $0.code < $1.code }.map(\.type)
    }

    /// Every type whose properties occur, base types first, each once.
    private func lineagesOnce(of types: [StructuredTypeID]) -> [StructuredTypeID] {
        var seen: Set<StructuredTypeID> = []
        return types.flatMap { model.lineage(of: $0) }.filter { seen.insert($0).inserted }
    }

    private mutating func addColumns(
        for property: StructuralProperty,
        path: [String],
        declaringType: StructuredTypeID,
        depth: Int
    ) {
        guard columns.count < Self.maximumColumnCount else { return }
        if property.type.isCollection {
            return add(.json, property, path, declaringType)
        }
        if let form = ScalarForm(property.type, in: model) {
            return add(form == .json ? .json : .scalar(form), property, path, declaringType)
        }
        switch property.type.type {
        case .structured(let complex) where isFlattened(complex, depth: depth):
            if property.isNullable { add(.presence, property, path, declaringType) }
            for leaf in model.properties(of: complex) {
                addColumns(
                    for: leaf,
                    path: path + [leaf.name],
                    declaringType: declaringType,
                    depth: depth + 1
                )
            }
        case .primitive: break  // A stream has no value of its own; its links stand in `$control`.
        default: add(.json, property, path, declaringType)
        }
    }

    private mutating func add(
        _ kind: Column.Kind,
        _ property: StructuralProperty,
        _ path: [String],
        _ declaringType: StructuredTypeID
    ) {
        let text = path.joined(separator: "/")
        let name = names.name(
            of: "\(model[declaringType].name)|\(text)|\(kind.tag)",
            in: table,
            preferring: text
        )
        columns.append(
            Column(
                name: name,
                path: path,
                declaringType: declaringType,
                kind: kind,
                isNullable: property.isNullable,
                keyIndex: nil
            )
        )
    }

    /// A complex type is flattened when it ends (is not recursive), has one shape (no derived types, not open) and few leaves.
    private func isFlattened(_ type: StructuredTypeID, depth: Int) -> Bool {
        guard depth < Self.maximumFlatteningDepth, !model[type].isOpen, !model[type].isAbstract,
            model.hierarchy(below: type).count == 1
        else { return false }
        return leafCount(type, visiting: []).map { $0 <= Self.maximumFlattenedLeaves } ?? false
    }

    /// Number of leaves, nil where the type contains itself.
    private func leafCount(_ type: StructuredTypeID, visiting: Set<StructuredTypeID>) -> Int? {
        guard !visiting.contains(type) else { return nil }
        var count = 0
        for property in model.properties(of: type) {
            if case .structured(let inner) = property.type.type, !property.type.isCollection {
                guard let leaves = leafCount(inner, visiting: visiting.union([type])) else {
                    return nil
                }
                count += leaves
            } else {
                count += 1
            }
            if count > Self.maximumFlattenedLeaves { return count }
        }
        return count
    }

    private func keyColumns() -> [Int] {
        if case .singleton = source { return [] }
        let places = model.key(of: entityType).map { part in
            columns.firstIndex { $0.path.joined(separator: "/") == part.path }
        }
        return places.contains(nil) ? [] : places.compactMap { $0 }
    }

    private mutating func markKey() {
        for (index, place) in keyColumns().enumerated() { columns[place].keyIndex = index }
    }
}
