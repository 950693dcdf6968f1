import CommandSupport
import ODataModelComparison
import ODataProtocol

/// `metadata rules`: what stores can follow, and why.
struct MetadataRulesCommand: Command {
    static let name = "metadata rules"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Lists the rules by which changes of metadata are judged, with their reasons.",
        forms: ["[--json]"],
        operands: 0...0,
        options: [.json],
        notes: [
            "compatible: stores can be upgraded. warning: they can, unless a call of the operation waits. incompatible: they"
                + " cannot; `metadata diff` ends with status 3. --json: id, what, change, effect, text, reason."
        ],
        examples: [
            .init("what may a release change?", line: "metadata rules"),
            .init("for a script", line: "metadata rules --json"),
        ]
    )

    private let isJSON: Bool

    init(_ arguments: Arguments) { isJSON = arguments.has("json") }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        if isJSON {
            try terminal.answer(Self.json() + [0x0A])
        } else {
            try terminal.answer(Self.lines().joined(separator: "\n"))
        }
        return .done
    }

    private static func lines() -> [String] {
        CompatibilityRule.all.flatMap { rule in
            ["\(rule.id)  \(rule.effect.rawValue)", "  \(rule.text)", "  \(rule.reason)"]
        }
    }

    private static func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for rule in CompatibilityRule.all {
            writer.beginObject()
            writer.member("id", value: rule.id)
            writer.member("what", value: rule.what.rawValue)
            writer.member("change", value: rule.change.rawValue)
            writer.member("effect", value: rule.effect.rawValue)
            writer.member("text", value: rule.text)
            writer.member("reason", value: rule.reason)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
    }
}
