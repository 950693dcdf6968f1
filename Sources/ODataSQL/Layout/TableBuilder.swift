import ODataValues
import ODataModel

/// Makes the layout of one table.
struct TableBuilder {
    /// SQLite allows 2,000 columns; the rest of an entity's properties is kept as JSON in `$dynamic`.
    static let maximumColumnCount = 1_000
    /// A complex property with more leaves than this is one JSON column.
    static let maximumFlattenedLeaves = 32
    /// Complex properties nested deeper than this are JSON.
    static let maximumFlatteningDepth = 4

    private let source: NavigationSource
    private let entityType: StructuredTypeID
    private let model: EdmModel
    private let hierarchy: TypeHierarchy
    private let name: String
    private let key: [[String]]
    private var names: TableNames
    private var columns: [Column] = []
    private var hasOverflow = false
    private var leafCounts: [StructuredTypeID: Int] = [:]

    init(
        source: NavigationSource,
        entityType: StructuredTypeID,
        name: String,
        model: EdmModel,
        hierarchy: TypeHierarchy,
        names: TableNames
    ) {
        self.source = source
        self.entityType = entityType
        self.name = name
        self.model = model
        self.hierarchy = hierarchy
        self.names = names
        if case .singleton = source {
            key = []
        } else {
            key = model.key(of: entityType).map { $0.path.split(separator: "/").map(String.init) }
        }
    }

    mutating func build() -> TableLayout {
        let types = orderedTypes()
        let declaring = lineagesOnce(of: types)
        for type in declaring {
            for property in model[type].properties {
                addColumns(for: property, path: [property.name], declaringType: type, depth: 0)
            }
        }
        let keyColumns = keyColumns()
        for (index, place) in keyColumns.enumerated() { columns[place].keyIndex = index }
        return TableLayout(
            source: source,
            name: name,
            entityType: entityType,
            types: types,
            declaringTypes: declaring,
            columns: columns,
            keyColumns: keyColumns,
            isContained: isContained,
            hasOverflow: hasOverflow,
            names: names
        )
    }

    private var isContained: Bool {
        if case .contained = source { true } else { false }
    }

    /// Types of the hierarchy by their codes.
    private mutating func orderedTypes() -> [StructuredTypeID] {
        var coded: [(code: Int, type: StructuredTypeID)] = []
        for type in hierarchy.family(of: entityType) {
            coded.append((names.typeCode(of: model[type].name), type))
        }
        return coded.sorted { $0.code < $1.code }.map(\.type)
    }

    /// Every type whose properties occur, base types first, each once.
    private func lineagesOnce(of types: [StructuredTypeID]) -> [StructuredTypeID] {
        var seen: Set<StructuredTypeID> = []
        return types.flatMap { hierarchy.lineage(of: $0) }.filter { seen.insert($0).inserted }
    }
}

// MARK: - Columns

extension TableBuilder {
    private mutating func addColumns(
        for property: StructuralProperty,
        path: [String],
        declaringType: StructuredTypeID,
        depth: Int
    ) {
        if property.type.isCollection {
            return add(.json, property: property, path: path, declaringType: declaringType)
        }
        if let form = ScalarForm(property.type, in: model) {
            return add(
                form == .json ? .json : .scalar(form),
                property: property,
                path: path,
                declaringType: declaringType
            )
        }
        switch property.type.type {
        case .structured(let complex)
        where isFlattened(complex, at: path, of: declaringType, depth: depth):
            add(.presence, property: property, path: path, declaringType: declaringType)
            for type in hierarchy.lineage(of: complex) {
                for leaf in model[type].properties {
                    addColumns(
                        for: leaf,
                        path: path + [leaf.name],
                        declaringType: declaringType,
                        depth: depth + 1
                    )
                }
            }
        case .primitive: break  // A stream has no value of its own; its links stand in `$control`.
        default: add(.json, property: property, path: path, declaringType: declaringType)
        }
    }

    private mutating func add(
        _ kind: Column.Kind,
        property: StructuralProperty,
        path: [String],
        declaringType: StructuredTypeID
    ) {
        let element = element(path, tag: kind.tag, of: declaringType)
        let former = names.known(element) ?? inheritedName(path, tag: kind.tag, of: declaringType)
        guard former != nil || hasRoom(for: 1) || isKey(path) else {
            hasOverflow = true
            return
        }
        if let former { names.share(former, with: element) }
        columns.append(
            Column(
                name: names.name(of: element, preferring: path.joined(separator: "/")),
                path: path,
                declaringType: declaringType,
                kind: kind,
                isNullable: property.isNullable,
                keyIndex: nil
            )
        )
    }

    /// The column that holds the property already.
    private func formerName(_ path: [String], tag: String, of type: StructuredTypeID) -> String? {
        names.known(element(path, tag: tag, of: type)) ?? inheritedName(path, tag: tag, of: type)
    }

    /// The column that holds the property for another type of the family: it was declared by one derived type, and has moved up since.
    private func inheritedName(_ path: [String], tag: String, of type: StructuredTypeID) -> String?
    {
        guard !names.isNew else { return nil }
        let known = hierarchy.family(of: type).compactMap {
            names.known(element(path, tag: tag, of: $0))
        }
        return Set(known).count == 1 ? known.first : nil
    }

    private func element(_ path: [String], tag: String, of type: StructuredTypeID) -> String {
        "\(model[type].name)|\(path.joined(separator: "/"))|\(tag)"
    }

    private mutating func hasRoom(for count: Int) -> Bool {
        names.columnCount + count <= Self.maximumColumnCount
    }

    /// Whether a property is a part of the key, or holds one.
    private func isKey(_ path: [String]) -> Bool {
        key.contains { $0.starts(with: path) }
    }

    /// A complex type is flattened when it ends (is not recursive), has one shape (no derived types, not open) and few leaves.
    ///
    /// What a file holds in one way stays so: JSON for ever, columns as long as the type can be held in columns.
    private mutating func isFlattened(
        _ type: StructuredTypeID,
        at path: [String],
        of declaringType: StructuredTypeID,
        depth: Int
    ) -> Bool {
        guard !model[type].isOpen, !model[type].isAbstract, hierarchy.family(of: type).count == 1,
            let leaves = leafCount(type, depth: 0)
        else { return false }
        if isKey(path) { return true }
        if formerName(path, tag: Column.Kind.json.tag, of: declaringType) != nil { return false }
        if formerName(path, tag: Column.Kind.presence.tag, of: declaringType) != nil { return true }
        return depth < Self.maximumFlatteningDepth && leaves <= Self.maximumFlattenedLeaves
            && hasRoom(for: leaves + 1)
    }

    /// Types nested deeper than this are taken for endless ones.
    private static let maximumNesting = 64

    /// Number of columns that a type's values take, nil where the type contains itself.
    private mutating func leafCount(_ type: StructuredTypeID, depth: Int) -> Int? {
        guard depth < Self.maximumNesting else { return nil }
        if let known = leafCounts[type] { return known < 0 ? nil : known }
        // Stands while the type's own properties are counted: meeting it again means that the type is endless.
        leafCounts[type] = -1
        var count = 0
        for base in hierarchy.lineage(of: type) {
            for property in model[base].properties {
                guard case .structured(let inner) = property.type.type, !property.type.isCollection
                else {
                    count += 1
                    continue
                }
                guard let leaves = leafCount(inner, depth: depth + 1) else { return nil }
                count = min(count + leaves + 1, Self.maximumFlattenedLeaves * 2)
            }
        }
        leafCounts[type] = count
        return count
    }

    private func keyColumns() -> [Int] {
        let places = key.map { path in columns.firstIndex { $0.path == path } }
        return places.contains(nil) ? [] : places.compactMap { $0 }
    }
}
