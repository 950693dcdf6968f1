import CommandSupport
import ODataModel
import ODataModelConversion

/// `metadata json`: writes a metadata document as CSDL JSON.
struct MetadataJSONCommand: Command {
    static let name = "metadata json"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Writes a metadata document of version 4 as CSDL JSON.",
        forms: ["FILE [--output FILE] [--json]"],
        operands: 1...1,
        options: [
            .value("output", placeholder: "FILE", help: "write the document into a file"),
            OptionSyntax.json,
        ],
        notes: [
            "All that the document says comes along: terms, annotations with their expressions, references. The documents that it"
                + " refers to stay what they are. Versions 1 to 3 have no CSDL JSON.",
            "The document is JSON as it is; with --output, --json answers {\"file\", \"bytes\"}.",
        ],
        examples: [
            .init("to read it in a script", line: "metadata json metadata.xml | jq keys"),
            .init("into a file", line: "metadata json metadata.xml --output metadata.json"),
        ]
    )

    private let file: MetadataFile
    private let output: String
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        file = MetadataFile(path: arguments.operands[0])
        output = arguments.value("output") ?? "-"
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        try file.convert(to: output, reportingOn: isJSON ? terminal : nil) {
            bytes throws(CSDLError) in
            try CSDLJSONConverter.json(ofXML: bytes) + [0x0A]
        }
        return .done
    }
}
