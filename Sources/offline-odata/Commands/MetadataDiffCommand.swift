import ODataModel

/// `metadata diff`: tells whether stores with one model can be upgraded to another.
struct MetadataDiffCommand: Command {
    static let syntax = CommandSyntax(
        name: "metadata diff",
        summary: "Tells whether stores made from one metadata document can be upgraded to another.",
        forms: ["OLD NEW [--json]"],
        operands: 2...2,
        options: [.json],
        notes: [
            "Exit status 0: identical or additive; 3: incompatible, each reason named by its path."
        ],
        examples: [
            .init("can the stores in the field follow?", "metadata diff v1.xml v2.xml"),
            .init(
                "refuse a release that would break them",
                "metadata diff live.xml next.xml >/dev/null || exit 1"
            ),
        ]
    )

    private let old: MetadataFile
    private let new: MetadataFile
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        old = MetadataFile(path: arguments.operands[0])
        new = MetadataFile(path: arguments.operands[1])
        isJSON = arguments.has("json")
        if old.path == "-", new.path == "-" {
            throw .usage("only one of the two documents can come from standard input")
        }
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        let comparison = try ModelComparison(
            from: old.document().model,
            to: new.document().model
        )
        try terminal.answer(Array((isJSON ? comparison.json() + "\n" : comparison.text()).utf8))
        return comparison.verdict == .incompatible ? .incompatibleSchema : .done
    }
}
