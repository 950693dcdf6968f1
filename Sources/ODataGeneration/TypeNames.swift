import ODataModel

/// The Swift names of the types of a model.
struct TypeNames: Sendable {
    /// Names of the enumerations that stand for the schemas.
    private(set) var schemas: [String] = []
    private var namespaces: [String: String] = [:]
    private var names: [NamedType: (schema: String, name: String)] = [:]
    private var files: [NamedType: String] = [:]

    init(_ model: EdmModel, _ selection: TypeSelection) {
        let types: [(NamedType, String)] =
            selection.structured.map { (.structured($0), model[$0].name) }
            + selection.enumerations.map { (.enumeration($0), model[$0].name) }
        var byNamespace: [String: [(NamedType, Substring)]] = [:]
        var order: [String] = []
        for (type, name) in types {
            let dot = name.lastIndex(of: ".")
            let namespace = dot.map { String(name[..<$0]) } ?? ""
            let short = dot.map { name[name.index(after: $0)...] } ?? name[...]
            if byNamespace[namespace] == nil { order.append(namespace) }
            byNamespace[namespace, default: []].append((type, short))
        }
        // A type is found by the name of its schema only where no type hides it.
        var taken = Set(types.map { SwiftName.type($0.1.split(separator: ".").last ?? "") })
        for namespace in order {
            let last = namespace.split(separator: ".").last.map(String.init) ?? "Model"
            var wanted = SwiftName.type(last)
            if taken.contains(wanted) { wanted += "Model" }
            let schema = SwiftName.unique(wanted, among: &taken)
            schemas.append(schema)
            namespaces[schema] = namespace
            add(byNamespace[namespace] ?? [], to: schema)
        }
    }

    private mutating func add(_ types: [(NamedType, Substring)], to schema: String) {
        var taken: Set<String> = []
        // Where letters of different case are one, so are the files.
        var takenFiles: Set<String> = []
        for (type, short) in types {
            let name = SwiftName.unique(SwiftName.type(short), among: &taken)
            names[type] = (schema, name)
            var file = "\(schema)+\(name)"
            while !takenFiles.insert(file.lowercased()).inserted { file += "_" }
            files[type] = file
        }
    }

    func namespace(of schema: String) -> String { namespaces[schema] ?? "" }

    /// The name of a type inside its schema.
    func name(of type: NamedType) -> String { names[type]?.name ?? "" }

    func schema(of type: NamedType) -> String { names[type]?.schema ?? "" }

    /// The name of a type anywhere.
    func qualified(_ type: NamedType) -> String {
        names[type].map { "\($0.schema).\($0.name)" } ?? "ODataValue"
    }

    func file(of type: NamedType) -> String { files[type] ?? "" }
}
