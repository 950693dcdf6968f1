import ODataText

/// The names of one name space: of the tables, or of the columns of one table.
package struct TableNames: Sendable {
    private var names: [String: String] = [:]
    /// The names as SQLite compares them; nil until a name is chosen, which files with many names rarely need.
    private var taken: Set<FoldedName>?
    /// Elements that have been named here and are in no file yet.
    package private(set) var fresh: [String] = []
    private var typeCount = 0
    /// Whether link tables have been named.
    private(set) var hasLinks = false

    /// Whether nothing has been named before.
    var isNew: Bool { names.count == fresh.count }

    /// How many columns have names.
    var columnCount: Int {
        mutating get { takenNames.count }
    }

    /// Every element with its name.
    package var all: [String: String] { names }

    /// Returns the name of an element where it has one.
    package func known(_ element: String) -> String? { names[element] }

    /// Gives an element a name that another element has had so far.
    mutating func share(_ name: String, with element: String) {
        guard names[element] == nil else { return }
        names[element] = name
        fresh.append(element)
    }

    /// Takes over a name chosen before.
    mutating func restore(_ element: String, as name: String) {
        guard names.updateValue(name, forKey: element) == nil else { return }
        if element.hasPrefix(Layout.linkPrefix) { hasLinks = true }
        if element.hasPrefix(Self.type) { typeCount += 1 } else { taken?.insert(FoldedName(name)) }
    }

    /// The names that no other element may take.
    private var takenNames: Set<FoldedName> {
        mutating get {
            if let taken { return taken }
            let names = names.lazy.filter { !$0.key.hasPrefix(Self.type) }.map(\.value)
            let found = Set(names.map { FoldedName($0) })
            taken = found
            return found
        }
    }

    /// Takes a name, unless it is taken.
    private mutating func take(_ name: String) -> Bool {
        _ = takenNames
        return taken?.insert(FoldedName(name)).inserted ?? false
    }

    /// Returns the name of an element, chosen now if it has none.
    mutating func name(of element: String, preferring wish: String) -> String {
        if let name = names[element] { return name }
        let isOwn = element.hasPrefix(Layout.linkPrefix)
        var name = Self.isReserved(wish) || !isOwn && wish.hasPrefix("$") ? "$" + wish : wish
        var number = 2
        while !take(name) {
            name = wish + "$\(number)"
            number += 1
        }
        names[element] = name
        fresh.append(element)
        return name
    }

    private static let type = "type:"

    /// Returns the code of a type, the next free one if it has none.
    mutating func typeCode(of type: String) -> Int {
        let element = Self.type + type
        if let code = names[element].flatMap({ Int($0) }) { return code }
        let code = typeCount
        names[element] = String(code)
        fresh.append(element)
        typeCount += 1
        return code
    }

    /// SQLite keeps names that begin with `sqlite_` for itself, in any case, and a column of a subselect named like a truth value loses
    /// its name.
    private static func isReserved(_ name: String) -> Bool {
        let folded = FoldedName(name)
        return folded.starts(with: "sqlite_") || folded == FoldedName("true")
            || folded == FoldedName("false")
    }
}
