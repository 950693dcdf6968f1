import CommandSupport
import ODataGrammar
import ODataModel
import ODataProtocol

/// `url check`: says whether a text is a URL of OData, and what it asks for.
struct URLCheckCommand: Command {
    static let name = "url check"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Says whether a text is a valid OData URL, or where it is not.",
        forms: ["TEXT [--metadata FILE] [--version V] [--rule RULE] [--json]"],
        operands: 1...1,
        options: [
            .value(
                "metadata",
                placeholder: "FILE",
                help: "also look its names and types up in this model"
            ),
            .value("version", placeholder: "V", help: "1.0, 2.0, 3.0, 4.0 or 4.01 (default)")
                .offering(ODataVersion.allCases.map(\.rawValue)),
            .value(
                "rule",
                placeholder: "RULE",
                help: "a rule of the OData 4.01 ABNF (default odataRelativeUri)"
            ),
            .json,
        ],
        notes: [
            "TEXT is relative to the service root; - reads it from standard input. Exit status 0: valid; 2: invalid."
                + " Without --metadata the grammar alone is asked. --json prints the parsed tree, or the error with its"
                + " byte offset."
        ],
        examples: [
            .init("is this filter right?", line: "url check 'WorkOrders?$filter=Price gt 100'"),
            .init(
                "do these names exist?",
                line: "url check 'WorkOrders?$expand=Customer' --metadata metadata.xml"
            ),
            .init("a part of a URL alone", line: "url check 'Price gt 5' --rule boolCommonExpr"),
        ]
    )

    private let text: String
    private let metadata: String?
    private let version: ODataVersion
    private let rule: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        text = arguments.operands[0]
        metadata = arguments.value("metadata")
        let versions: [(name: String, value: ODataVersion)] = ODataVersion.allCases.map {
            ($0.rawValue, $0)
        }
        version = try arguments.choice("version", of: versions) ?? .v401
        rule = arguments.value("rule")
        isJSON = arguments.has("json")
        if let rule, !URLSyntax.hasRule(rule) { throw Self.unknownRule(rule) }
        if metadata != nil, let rule, rule != URLSyntax.defaultRule {
            throw .usage("--metadata goes with whole URLs only, not with --rule \(rule)")
        }
    }

    private static func unknownRule(_ rule: String) -> CommandFailure {
        let nearest = NearestName.of(rule, among: URLSyntax.ruleNames)
        return .usage(
            "the grammar has no rule '\(rule)'" + (nearest.map { "; did you mean \($0)?" } ?? ""),
            advice: "Rules are named as in the OData 4.01 ABNF, such as odataRelativeUri or filter."
        )
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        let given = try text == "-" ? Self.standardInput() : text
        // How people write that the service root comes before.
        let isURL = rule == nil || rule == URLSyntax.defaultRule
        let text = isURL && given.hasPrefix("~/") ? String(given.dropFirst(2)) : given
        let model = try metadata.map { try MetadataFile(path: $0).document().model }
        do {
            let report = try check(text, in: model)
            try terminal.answer(isJSON ? report.json() : "valid: \(report.sentence)")
            return .done
        } catch let error as ODataURLError {
            try print(error, in: text, on: terminal)
            return .invalid
        }
    }

    /// The text may end with the newline of `echo`.
    private static func standardInput() throws -> String {
        var bytes = try FileBytes.read("-")
        if bytes.last == 0x0A { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func check(_ text: String, in model: EdmModel?) throws -> URLReport {
        let name = rule ?? URLSyntax.defaultRule
        // A URL whose names were looked up is right by the model's own measure.
        guard let model else {
            guard name == URLSyntax.defaultRule else {
                try URLSyntax.check(text, rule: name, version: version)
                return URLReport(rule: name, version: version)
            }
            try checkURL(text)
            let written = try? WrittenRequest(parsing: text, version: version)
            return URLReport(rule: name, version: version, written: written)
        }
        let written = try WrittenRequest(parsing: text, version: version)
        let bound = try BoundRequest(written, in: model)
        return URLReport(
            rule: name,
            version: version,
            written: written,
            bound: BoundSketch(bound, in: model)
        )
    }

    /// Asks the grammar; of what the parser refuses too, it is the parser that knows what was meant.
    private func checkURL(_ text: String) throws {
        do {
            try URLSyntax.check(text, rule: URLSyntax.defaultRule, version: version)
        } catch {
            _ = try WrittenRequest(parsing: text, version: version)
            throw error
        }
    }

    private func print(_ error: ODataURLError, in text: String, on terminal: Terminal) throws {
        if isJSON { return try terminal.answer(URLReport.json(error)) }
        // The place below the text, where the text is short and plain enough for that.
        if text.utf8.count <= 100, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            terminal.remark("  " + text)
            terminal.remark("  " + String(repeating: " ", count: error.offset) + "^")
        }
        terminal.remark("invalid: \(error)")
    }
}
