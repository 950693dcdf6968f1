/// Lays out help in the columns of the narrowest usual terminal.
public enum HelpText {
    /// Columns of a line.
    static let lineWidth = 80
    /// Columns of the longest name that stands beside its explanation; longer ones stand above it.
    private static let widestName = 26

    /// Breaks a paragraph into lines; those behind the first are indented.
    static func wrapped(_ text: String, to width: Int = lineWidth, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    /// Lays out names with their explanations beside them; all names of a table are given, so that tables can share a width.
    public static func table(
        _ rows: [(name: String, text: String)],
        sharingWidthOf names: [String] = []
    ) -> [String] {
        let all = names.isEmpty ? rows.map(\.name) : names
        let width = min(all.map(\.count).max() ?? 0, widestName)
        return rows.flatMap { row($0.name, $0.text, width: width) }
    }

    private static func row(_ name: String, _ text: String, width: Int) -> [String] {
        let space = String(repeating: " ", count: width + 4)
        let beside = wrapped(text, to: lineWidth - space.count)
        var lines = beside.map { space + $0 }
        guard name.count <= width else { return ["  " + name] + lines }
        lines[0] = "  " + name + space.dropFirst(name.count + 2) + beside[0]
        return lines
    }
}
