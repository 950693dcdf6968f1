/// A table of text with columns that line up: the first to the left, the others to the right.
struct Table {
    private var lines: [[String]]

    init(header: [String]) {
        lines = [header]
    }

    mutating func add(_ line: [String]) {
        lines.append(line)
    }

    /// The text, indented by two.
    var text: String {
        let widths = lines[0].indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        return lines.map { line in
            "  "
                + line.indices.map { column in
                    let padding = String(repeating: " ", count: widths[column] - line[column].count)
                    return column == 0 ? line[column] + padding : padding + line[column]
                }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
