import ODataSQL
package import ODataModel

/// The order in which files of entities are loaded.
package enum DataOrder {
    /// Returns the names of sets and singletons, each after those that its entities name in binds, or lead to by to-one properties,
    /// as far as there is no circle.
    ///
    /// - Parameter files: OData JSON by the name of its set.
    package static func names(of files: [String: [UInt8]], in model: EdmModel) -> [String] {
        let binds = files.mapValues(boundNames)
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
        // From the files alone: the largest models have thousands of other places.
        for source in model.rootSources where files[model.name(of: source)] != nil {
            visit(source)
        }
        return order.filter { files[$0] != nil }
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
