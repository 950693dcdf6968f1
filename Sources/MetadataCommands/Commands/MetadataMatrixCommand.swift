import CommandSupport
import ODataModelComparison
import ODataModel
import ODataProtocol

/// `metadata matrix`: which installed versions can go to which.
struct MetadataMatrixCommand: Command {
    static let name = "metadata matrix"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Shows which versions of a service's metadata can be upgraded to which others.",
        forms: ["FILE FILE... [--json]"],
        operands: 2...100,
        options: [.json],
        notes: [
            "Give the oldest version first. Exit status 3: stores of one of them cannot go to the last one.",
            "--json: files, steps (from, to, verdict, incompatible).",
        ],
        examples: [
            .init("who can follow?", line: "metadata matrix v1.xml v2.xml v3.xml"),
            .init("for a script", line: "metadata matrix v1.xml v2.xml --json"),
        ]
    )

    private let files: [MetadataFile]
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        files = arguments.operands.map { MetadataFile(path: $0) }
        isJSON = arguments.has("json")
        guard files.count(where: { $0.path == "-" }) <= 1 else {
            throw .usage("only one of the documents can come from standard input")
        }
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        let matrix = UpgradeMatrix(
            try files.map { (name: $0.path, model: try $0.document().model) }
        )
        if isJSON {
            try terminal.answer(Self.json(matrix) + [0x0A])
        } else {
            try terminal.answer(Self.lines(matrix).joined(separator: "\n"))
        }
        return matrix.stranded.isEmpty ? .done : .incompatibleSchema
    }

    private static func lines(_ matrix: UpgradeMatrix) -> [String] {
        var table = TextTable([("from \\ to", .left)] + matrix.names.map { ($0, .left) })
        for from in matrix.names.indices {
            table.add(
                [matrix.names[from]]
                    + matrix.names.indices.map { to in
                        matrix.steps.first { $0.from == from && $0.to == to }.map(word) ?? "-"
                    }
            )
        }
        guard let last = matrix.names.last, !matrix.stranded.isEmpty else { return table.lines() }
        return table.lines() + [
            "", "cannot go to \(last): " + matrix.stranded.joined(separator: ", "),
        ]
    }

    private static func word(_ step: UpgradeMatrix.Step) -> String {
        step.verdict == .incompatible ? "no (\(step.incompatibleCount))" : step.verdict.rawValue
    }

    private static func json(_ matrix: UpgradeMatrix) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("files", values: matrix.names)
        writer.objects("steps", items: matrix.steps) { writer, step in
            writer.member("from", value: matrix.names[step.from])
            writer.member("to", value: matrix.names[step.to])
            writer.member("verdict", value: step.verdict.rawValue)
            writer.member("incompatible", value: step.incompatibleCount)
        }
        writer.member("stranded", values: matrix.stranded)
        writer.endObject()
        return writer.bytes
    }
}
