/// Rows with aligned columns: numbers to the right, words to the left.
public struct TextTable: Sendable {
    /// How a column is written.
    public enum Alignment: Sendable {
        /// To the left, as words.
        case left
        /// To the right, as numbers.
        case right
    }

    private let titles: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Columns are not made narrower than this: less says nothing.
    private static let narrowest = 6
    private static let gap = "  "

    /// Creates a table of titled columns.
    public init(_ columns: [(title: String, alignment: Alignment)]) {
        titles = columns.map { DisplayText.printable($0.title) }
        alignments = columns.map(\.alignment)
    }

    /// Adds a row; it has a text for each column.
    public mutating func add(_ cells: [String]) {
        rows.append(cells.map(DisplayText.printable))
    }

    /// Whether no row was added.
    public var isEmpty: Bool { rows.isEmpty }

    /// The lines, titles first, each with the indentation before it.
    ///
    /// - Parameter style: Fits the lines to a terminal; in a pipe nothing is cut.
    public func lines(indentation: String = "", style: TableStyle = .standardOutput) -> [String] {
        let widths = widths(fitting: style.width.map { $0 - DisplayText.width(indentation) })
        let head = style.emphasized(line(titles, widths: widths, indentation: indentation))
        return [head] + rows.map { line($0, widths: widths, indentation: indentation) }
    }

    private func line(_ row: [String], widths: [Int], indentation: String) -> String {
        let cells = row.indices.map { column -> String in
            let text = DisplayText.shortened(row[column], to: widths[column])
            let space = String(repeating: " ", count: widths[column] - DisplayText.width(text))
            return alignments[column] == .right ? space + text : text + space
        }
        return indentation + Self.trimmed(cells.joined(separator: Self.gap))
    }

    /// The widths of the columns; where they are too many together, the widest gives first.
    private func widths(fitting width: Int?) -> [Int] {
        let all = [titles] + rows
        var widths = titles.indices.map { column in
            all.map { DisplayText.width($0[column]) }.max() ?? 0
        }
        guard let width else { return widths }
        let gaps = Self.gap.count * max(0, titles.count - 1)
        var excess = widths.reduce(gaps, +) - width
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.narrowest
        {
            // Down to the next one at once: a column may be megabytes wide.
            let next = widths.filter { $0 < widths[widest] }.max() ?? Self.narrowest
            let step = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
            widths[widest] -= step
            excess -= step
        }
        return widths
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
