import CommandSupport
import ODataModel
import ODataModelConversion

/// `metadata xml`: writes a metadata document that is CSDL JSON as CSDL XML.
struct MetadataXMLCommand: Command {
    static let syntax = CommandSyntax(
        name: "metadata xml",
        summary: "Writes a metadata document that is CSDL JSON as CSDL XML.",
        forms: ["FILE [--output FILE]"],
        operands: 1...1,
        options: [
            .value("output", placeholder: "FILE", help: "write the document into a file")
        ],
        notes: [
            "The reverse of `metadata json`. JSON does not say of a text whether it is a path, a date or an enumeration value: such values of"
                + " annotations become String."
        ],
        examples: [
            .init("to look at it", line: "metadata xml metadata.json | xmllint --format -"),
            .init("into a file", line: "metadata xml metadata.json --output metadata.xml"),
        ]
    )

    private let file: MetadataFile
    private let output: String

    init(_ arguments: Arguments) {
        file = MetadataFile(path: arguments.operands[0])
        output = arguments.value("output") ?? "-"
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        try file.convert(to: output) { bytes throws(CSDLError) in
            try CSDLXMLConverter.xml(ofJSON: bytes)
        }
        return .done
    }
}
