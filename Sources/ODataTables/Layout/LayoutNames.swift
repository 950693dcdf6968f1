/// The SQL names chosen for sources and properties, kept in the file so that they never change.
///
/// SQLite folds ASCII case, keeps tables and indexes in one name space and reserves `sqlite_`; names that would meet get the
/// suffix `$2`, `$3`, ….
package struct LayoutNames: Sendable {
    /// An entry of the file's `$layout` table.
    package struct Entry: Sendable, Hashable {
        /// SQL name of the table; empty for tables themselves.
        package var table: String
        /// What is named: a source's name, `type:` and a type's name, or `declaring type|path|storing form`.
        package var element: String

        package init(table: String, element: String) {
            self.table = table
            self.element = element
        }
    }

    /// Name by element; for types, the decimal digits of the code.
    package private(set) var entries: [Entry: String] = [:]
    private var taken: Set<Entry> = []

    package init() {}

    /// Takes over a name chosen before.
    package mutating func restore(_ entry: Entry, as name: String) {
        entries[entry] = name
        taken.insert(Entry(table: entry.table, element: Self.folded(name)))
    }

    /// Returns the name of an element, chosen now if it has none.
    mutating func name(of element: String, in table: String, preferring wish: String) -> String {
        let entry = Entry(table: table, element: element)
        if let name = entries[entry] { return name }
        var name = wish.lowercased().hasPrefix("sqlite_") ? wish + "$" : wish
        var number = 2
        while taken.contains(Entry(table: table, element: Self.folded(name))) {
            name = wish + "$\(number)"
            number += 1
        }
        restore(entry, as: name)
        return name
    }

    /// Returns the code of a type in a table, the next free one if it has none.
    mutating func typeCode(of type: String, in table: String, next: Int) -> Int {
        let entry = Entry(table: table, element: "type:" + type)
        if let code = entries[entry].flatMap({ Int($0) }) { return code }
        entries[entry] = String(next)
        return next
    }

    /// ASCII letters folded as SQLite folds them.
    private static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }
}
