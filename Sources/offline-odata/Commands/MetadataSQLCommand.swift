import OfflineOData

/// `metadata sql`: prints the SQLite schema that a store would have.
struct MetadataSQLCommand: Command {
    static let syntax = CommandSyntax(
        name: "metadata sql",
        summary: "Prints the SQLite schema that a store of this metadata would have.",
        forms: ["FILE"],
        operands: 1...1,
        notes: [
            "The statements are SQLite's own record of a store made in memory. Tables of copies ($base:, $server:) are"
                + " left out: a store makes them when an entity is first changed."
        ],
        examples: [
            .init("how is the data kept?", "metadata sql metadata.xml"),
            .init("try it in SQLite's shell", "metadata sql metadata.xml | sqlite3 empty.db"),
        ]
    )

    private let file: MetadataFile

    init(_ arguments: Arguments) {
        file = MetadataFile(path: arguments.operands[0])
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        let lines = try OfflineODataProvider.schemaStatements(of: file.read().bytes)
        try terminal.answer(lines.joined(separator: "\n"))
        return .done
    }
}
