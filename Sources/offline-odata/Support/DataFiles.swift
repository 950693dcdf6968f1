import ODataModel
import ODataProtocol
import ODataTables

/// Files of rows, `Set.json`, each after those that its entities refer to.
struct DataFiles {
    /// A file and the entity set or singleton that it is named after.
    struct File: Sendable {
        var set: String
        var path: String
        var json: [UInt8]
    }

    let files: [File]

    /// Takes every `.json` file of a directory.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where one is named after no entity set.
    init(directory: String, model: EdmModel) throws(CommandFailure) {
        let names = try FileBytes.names(in: directory).filter { $0.hasSuffix(".json") }
        guard !names.isEmpty else {
            throw .usage(
                "\(directory) holds no data",
                advice: "Put a file Set.json into it for each entity set that has entities."
            )
        }
        try self.init(paths: names.map { directory + "/" + $0 }, model: model)
    }

    /// Takes these files.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where one is named after no entity set, or two after the same.
    init(paths: [String], model: EdmModel) throws(CommandFailure) {
        var found: [String: File] = [:]
        for path in paths {
            let set = try Self.set(of: path, in: model)
            let file = File(set: set, path: path, json: try FileBytes.read(path))
            guard found.updateValue(file, forKey: file.set) == nil else {
                throw .usage("two files are named after \(file.set)")
            }
        }
        let binds = found.mapValues { Self.boundNames($0.json) }
        files = Self.order(in: model, binds: binds).compactMap { found[$0] }
    }

    private static func set(of path: String, in model: EdmModel) throws(CommandFailure) -> String {
        let name = String(path.split(separator: "/").last ?? "")
        let set = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
        let names = setNames(model)
        guard names.contains(set) else {
            let nearest =
                NearestName.of(set, among: names).map { "; did you mean \($0).json?" } ?? ""
            throw .usage(
                "\(path): the metadata has no entity set '\(set)'\(nearest)",
                advice: "Data files are named after their entity set: Set.json."
            )
        }
        return set
    }

    private static func setNames(_ model: EdmModel) -> [String] {
        model.container.entitySets.map(\.name) + model.container.singletons.map(\.name)
    }

    /// Returns the order of loading: each set after those that its entities name in binds, or lead to by to-one properties,
    /// as far as there is no circle.
    private static func order(in model: EdmModel, binds: [String: Set<String>]) -> [String] {
        var order: [String] = []
        var seen: Set<NavigationSource> = []
        func visit(_ source: NavigationSource) {
            guard seen.insert(source).inserted, let type = model.entityType(of: source) else {
                return
            }
            let bound = binds[model.name(of: source)] ?? []
            for owner in model.hierarchy(below: type).flatMap(model.lineage(of:)) {
                for index in model[owner].navigationProperties.indices {
                    let id = NavigationPropertyID(type: owner, index: index)
                    guard !model[id].isCollection || bound.contains(model[id].name),
                        let target = model.target(of: id, from: source)
                    else { continue }
                    visit(target)
                }
            }
            order.append(model.name(of: source))
        }
        for source in model.navigationSources { visit(source) }
        return order
    }

    /// Names of the properties that have binds in a JSON text: `"Name@odata.bind"` or `"Name@bind"` (OData JSON 4.01 § 8.5).
    private static func boundNames(_ json: [UInt8]) -> Set<String> {
        let marks = ["odata.bind\"", "bind\""].map { Array($0.utf8) }
        var names: Set<String> = []
        var rest = json[...]
        while let at = rest.firstIndex(of: UInt8(ascii: "@")) {
            let after = json[(at + 1)...]
            if marks.contains(where: { after.starts(with: $0) }) {
                let name = json[..<at].suffix(128).split(separator: UInt8(ascii: "\"")).last ?? []
                names.insert(String(decoding: name, as: UTF8.self))
            }
            rest = after
        }
        return names
    }
}
