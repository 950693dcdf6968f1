import CommandSupport
import ODataProtocol
import OfflineOData

/// `metadata sql`: prints the SQLite schema that a store would have.
struct MetadataSQLCommand: Command {
    static let name = "metadata sql"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Prints the SQLite schema that a store of this metadata would have.",
        forms: ["FILE [--json]"],
        operands: 1...1,
        options: [.json],
        notes: [
            "The statements are SQLite's own record of a store made in memory. Tables of copies ($base:, $server:) are"
                + " left out: a store makes them when an entity is first changed."
        ],
        examples: [
            .init("how is the data kept?", line: "metadata sql metadata.xml"),
            .init("the same for a script", line: "metadata sql metadata.xml --json"),
            .init("try it in SQLite's shell", line: "metadata sql metadata.xml | sqlite3 empty.db"),
        ]
    )

    private let file: MetadataFile
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        file = MetadataFile(path: arguments.operands[0])
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        let statements = try statements()
        guard isJSON else {
            try terminal.answer(statements.joined(separator: "\n"))
            return .done
        }
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.name("statements")
        writer.beginArray()
        for statement in statements where !statement.isEmpty && !statement.hasPrefix("--") {
            writer.string(statement)
        }
        writer.endArray()
        writer.endObject()
        try terminal.answer(writer.bytes + [UInt8(ascii: "\n")])
        return .done
    }

    /// A store reads the document alone; what is wrong with it is said with the place in the file.
    private func statements() throws -> [String] {
        let bytes = try file.bytes()
        do {
            return try OfflineODataProvider.schemaStatements(of: bytes)
        } catch {
            _ = try file.document(of: bytes)
            throw error
        }
    }
}
