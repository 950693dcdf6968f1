/// The items of the select list in a context URL, such as `ID,Name,Lines(Number)` (OData JSON 4.01 § 10.7).
package struct ContextSelectList {
    /// A selected property, or an expanded one with the list in the parentheses behind it.
    package struct Item {
        package let name: String
        package let nested: Substring?
    }

    package let items: [Item]

    /// Reads the text between the parentheses; nil where something in it is no name.
    package init?(_ list: Substring) {
        var items: [Item] = []
        var rest = list
        while !rest.isEmpty {
            let name = rest.prefix { !",()".contains($0) }
            guard !name.isEmpty, name.allSatisfy(Self.isName) else { return nil }
            rest = rest[name.endIndex...]
            var nested: Substring?
            if rest.first == "(" {
                guard let end = Self.closing(rest) else { return nil }
                nested = rest[rest.index(after: rest.startIndex)..<end]
                rest = rest[rest.index(after: end)...]
            }
            items.append(Item(name: String(name), nested: nested))
            guard rest.isEmpty || rest.first == "," else { return nil }
            rest = rest.dropFirst()
        }
        self.items = items
    }

    /// The parenthesis that closes the one at the start.
    private static func closing(_ text: Substring) -> String.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    /// The name of a level that repeats itself ends with a plus.
    private static func isName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_./*-@+".contains(character)
    }
}
