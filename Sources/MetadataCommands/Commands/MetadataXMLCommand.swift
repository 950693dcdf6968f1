import CommandSupport
import ODataModel
import ODataModelConversion
import ODataProtocol

/// `metadata xml`: writes a metadata document that is CSDL JSON as CSDL XML.
struct MetadataXMLCommand: Command {
    static let name = "metadata xml"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Writes a metadata document that is CSDL JSON as CSDL XML.",
        forms: ["FILE [--output FILE] [--json]"],
        operands: 1...1,
        options: [
            .value("output", placeholder: "FILE", help: "write the document into a file"),
            .json,
        ],
        notes: [
            "The reverse of `metadata json`. JSON does not say of a text whether it is a path, a date or an enumeration value: such values of"
                + " annotations become String.",
            "--json answers {\"document\": \"<?xml…\"}; with --output, {\"file\", \"bytes\"}.",
        ],
        examples: [
            .init("to look at it", line: "metadata xml metadata.json | xmllint --format -"),
            .init("into a file", line: "metadata xml metadata.json --output metadata.xml"),
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
            let document = try CSDLXMLConverter.xml(ofJSON: bytes)
            return isJSON && output == "-" ? Self.wrapped(document) : document
        }
        return .done
    }

    private static func wrapped(_ document: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: document.count)
        writer.beginObject()
        writer.member("document", value: String(decoding: document, as: UTF8.self))
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
