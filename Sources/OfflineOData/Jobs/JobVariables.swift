/// The variables of a store, which stand as `{name}` in texts of a job.
struct JobVariables {
    private let values: [String: String]

    /// Besides the store's own: `name`, its file name without extension, and `store`, its path.
    init(_ store: OfflineODataJob.Store) {
        let file = store.path.split(separator: "/").last.map(String.init) ?? store.path
        let name = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        let own = ["name": name.isEmpty ? file : name, "store": store.path]
        values = own.merging(store.variables) { _, given in given }
    }

    /// Returns a text with the variables' values in it; braces around anything but a name stay.
    func filled(_ text: String) -> String {
        var result = ""
        for piece in Self.pieces(of: text) {
            switch piece {
            case .text(let text): result += text
            case .name(let name): result += values[name] ?? "{\(name)}"
            }
        }
        return result
    }

    /// The first name in a text that no variable has.
    func unknownName(in text: String) -> String? {
        for case .name(let name) in Self.pieces(of: text) where values[name] == nil { return name }
        return nil
    }

    private enum Piece {
        case text(String)
        case name(String)
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            let inner = rest[rest.index(after: open)...]
            let name = inner.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            guard name.first?.isLetter == true, name.endIndex < inner.endIndex,
                inner[name.endIndex] == "}"
            else {
                pieces.append(.text(String(rest[...open])))
                rest = inner
                continue
            }
            pieces += [.text(String(rest[..<open])), .name(String(name))]
            rest = inner[inner.index(after: name.endIndex)...]
        }
        return pieces + [.text(String(rest))]
    }
}
