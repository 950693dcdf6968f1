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
    /// Columns of a table that is set in blocks are at most this wide, unless a block has room left.
    private static let usual = 20
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
    /// - Parameter style: Fits the lines to a terminal; in a pipe nothing is cut. Columns for which a terminal has no room even where
    ///   all are narrow follow below, the first column before them again.
    public func lines(indentation: String = "", style: TableStyle = .standardOutput) -> [String] {
        let width = style.width.map { $0 - DisplayText.width(indentation) }
        let blocks = blocks(fitting: width).map { columns in
            block(columns, fitting: width, indentation: indentation, style: style)
        }
        return Array(blocks.joined(separator: [""]))
    }

    /// The lines of some columns.
    private func block(
        _ columns: [Int],
        fitting width: Int?,
        indentation: String,
        style: TableStyle
    ) -> [String] {
        let widths = widths(of: columns, fitting: width)
        let head = line(titles, columns: columns, widths: widths, indentation: indentation)
        return [style.emphasized(head)]
            + rows.map { line($0, columns: columns, widths: widths, indentation: indentation) }
    }

    private func line(
        _ row: [String],
        columns: [Int],
        widths: [Int],
        indentation: String
    ) -> String {
        let cells = zip(columns, widths).map { column, width -> String in
            let text = DisplayText.shortened(row[column], to: width)
            let space = String(repeating: " ", count: width - DisplayText.width(text))
            return alignments[column] == .right ? space + text : text + space
        }
        return indentation + Self.trimmed(cells.joined(separator: Self.gap))
    }

    // MARK: Widths

    /// The columns that stand side by side: all of them where they fit.
    private func blocks(fitting width: Int?) -> [[Int]] {
        let all = Array(titles.indices)
        guard let width, let first = all.first else { return [all] }
        let least = all.map { min(fullWidth($0), Self.narrowest) }
        guard Self.total(least) > width else { return [all] }
        let usual = all.map { min(fullWidth($0), Self.usual) }
        var blocks = [[first]]
        for column in all.dropFirst() {
            let block = blocks[blocks.count - 1] + [column]
            if block.count <= 2 || Self.total(block.map { usual[$0] }) <= width {
                blocks[blocks.count - 1] = block
            } else {
                blocks.append([first, column])
            }
        }
        return blocks
    }

    private func fullWidth(_ column: Int) -> Int {
        rows.reduce(DisplayText.width(titles[column])) { max($0, DisplayText.width($1[column])) }
    }

    /// The width of columns side by side.
    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(gap.count * max(0, widths.count - 1), +)
    }

    /// The widths of columns; where they are too many together, the widest gives first.
    private func widths(of columns: [Int], fitting width: Int?) -> [Int] {
        var widths = columns.map(fullWidth)
        guard let width else { return widths }
        var excess = Self.total(widths) - width
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
