import CommandSupport
import ODataModel
import ODataModelComparison

/// `metadata summary`: counts what a document declares.
struct MetadataSummaryCommand: Command {
    static let name = "metadata summary"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Counts what a metadata document declares and lists what is wrong with it.",
        forms: ["FILE [--json]"],
        operands: 1...1,
        options: [.json],
        notes: [
            "FILE is CSDL of any version, XML or JSON; - reads standard input. Faults that can be survived are listed,"
                + " all others end with status 2."
        ],
        examples: [
            .init("what is in this service?", line: "metadata summary metadata.xml"),
            .init("the same for a script", line: "metadata summary metadata.xml --json"),
        ]
    )

    private let file: MetadataFile
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        file = MetadataFile(path: arguments.operands[0])
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        let summary = try MetadataSummary(file.document())
        try terminal.answer(Array((isJSON ? summary.json() + "\n" : summary.text()).utf8))
        return .done
    }
}
