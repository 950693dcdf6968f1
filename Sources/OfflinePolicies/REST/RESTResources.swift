/// The collections that templates name, one below the other, and the metadata that they amount to.
package struct RESTResources: Sendable {
    /// A collection with those below its objects.
    struct Collection: Sendable {
        var level: RESTTemplate.Level
        var children: [Collection] = []
    }

    private(set) var roots: [Collection] = []

    package init(_ templates: [RESTTemplate]) {
        for template in templates { Self.add(template.levels[...], to: &roots) }
    }

    private static func add(_ levels: ArraySlice<RESTTemplate.Level>, to list: inout [Collection]) {
        guard let first = levels.first else { return }
        let place = list.firstIndex { $0.level.path == first.path }
        if place == nil { list.append(Collection(level: first)) }
        add(levels.dropFirst(), to: &list[place ?? list.count - 1].children)
    }

    // MARK: Metadata

    /// The metadata document: open types with their keys, subcollections as contained entities.
    package var metadata: String {
        var types = ""
        for root in roots { Self.write(root, as: root.level.name, to: &types) }
        let sets = roots.map {
            "<EntitySet Name=\"\($0.level.name)\" EntityType=\"REST.\($0.level.name)_item\"/>"
        }
        return """
            <?xml version="1.0"?>
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="REST" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            \(types)<EntityContainer Name="Container">\(sets.joined())</EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
    }

    private static func write(_ collection: Collection, as name: String, to text: inout String) {
        let level = collection.level
        let type = level.isNumber ? "Edm.Int64" : "Edm.String"
        text +=
            "<EntityType Name=\"\(name)_item\" OpenType=\"true\"><Key><PropertyRef Name=\"\(level.key)\"/></Key>"
        text += "<Property Name=\"\(level.key)\" Type=\"\(type)\" Nullable=\"false\"/>"
        for child in collection.children {
            text += "<NavigationProperty Name=\"\(child.level.name)\" ContainsTarget=\"true\""
            text += " Type=\"Collection(REST.\(name)_\(child.level.name)_item)\"/>"
        }
        text += "</EntityType>\n"
        for child in collection.children {
            write(child, as: name + "_" + child.level.name, to: &text)
        }
    }
}

/// The address of a collection or an object of a plain REST service.
package struct RESTAddress: Sendable {
    /// The collection last named.
    package var level: RESTTemplate.Level
    /// The key of the object; nil for the collection.
    package var key: String?
    /// The path in the service.
    package var path: String
    /// The same in terms of the store: `departments(10)/employees`.
    package var url: String

    /// Reads an address in terms of the store, without query options.
    package init?(url: String, in resources: RESTResources) {
        var list = resources.roots
        var address: RESTAddress?
        for segment in Self.segments(url) {
            let name = String(segment.prefix { $0 != "(" })
            guard address?.key != nil || address == nil,
                let collection = list.first(where: { $0.level.name == name })
            else { return nil }
            var next = RESTAddress(
                level: collection.level,
                below: address,
                key: Self.key(segment)
            )
            next.url = (address.map { $0.url + "/" } ?? "") + segment
            list = collection.children
            address = next
        }
        guard let address else { return nil }
        self = address
    }

    /// Reads a path of the service: that of a `Location`.
    package init?(path: String, in resources: RESTResources) {
        var rest = path.split(separator: "/").map(String.init)[...]
        var list = resources.roots
        var address: RESTAddress?
        while !rest.isEmpty {
            guard let collection = list.first(where: { rest.starts(with: $0.level.path) }) else {
                return nil
            }
            rest = rest.dropFirst(collection.level.path.count)
            address = RESTAddress(level: collection.level, below: address, key: rest.popFirst())
            list = collection.children
        }
        guard let address else { return nil }
        self = address
    }

    private init(level: RESTTemplate.Level, below parent: RESTAddress?, key: String?) {
        self.level = level
        self.key = key
        path =
            (parent?.path ?? "") + level.path.map { "/" + $0 }.joined()
            + (key.map { "/" + $0 } ?? "")
        url = (parent.map { $0.url + "/" } ?? "") + level.name
        if let key { url += level.isNumber ? "(\(key))" : "('\(key.replacing("'", with: "''"))')" }
    }

    /// Cuts a URL at slashes that stand in no quotes.
    private static func segments(_ url: String) -> [String] {
        var segments: [String] = []
        var current = ""
        var isQuoted = false
        for character in url {
            if character == "'" { isQuoted.toggle() }
            if character == "/", !isQuoted {
                segments.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        return (segments + [current]).filter { !$0.isEmpty }
    }

    /// The key in the parentheses of a segment: `(10)`, `('a')`, `(id=10)`; it stays percent-encoded.
    private static func key(_ segment: String) -> String? {
        guard let open = segment.firstIndex(of: "("), segment.hasSuffix(")") else { return nil }
        var text = String(segment[segment.index(after: open)...].dropLast())
            .replacing("%27", with: "'")
        if let equals = text.firstIndex(of: "="), !text.hasPrefix("'") {
            text = String(text[text.index(after: equals)...])
        }
        return String(text[...].unquoted)
    }
}
