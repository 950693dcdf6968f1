/// Rows with aligned columns: numbers to the right, words to the left.
struct TextTable {
    /// How a column is written.
    enum Alignment {
        case left
        case right
    }

    private let titles: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Creates a table of titled columns.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        titles = columns.map(\.title)
        alignments = columns.map(\.alignment)
    }

    /// Adds a row; it has a text for each column.
    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// Whether no row was added.
    var isEmpty: Bool { rows.isEmpty }

    /// The lines, titles first, each with the indentation before it.
    func lines(indentation: String = "") -> [String] {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = row.indices.map { column -> String in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return alignments[column] == .right ? space + row[column] : row[column] + space
            }
            return indentation + Self.trimmed(cells.joined(separator: "  "))
        }
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
