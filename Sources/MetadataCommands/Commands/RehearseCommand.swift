import CommandSupport
import ODataProtocol
import OfflineOData

/// `rehearse`: the upgrade of a store to another metadata document, on a copy.
struct RehearseCommand: Command {
    static let name = "rehearse"
    static let syntax = CommandSyntax(
        name: name,
        summary:
            "Tries the upgrade of a store to new metadata on a copy; the store is not touched.",
        forms: ["STORE NEW [--json]"],
        operands: 2...2,
        options: [.json],
        notes: [
            "NEW is the metadata document that the service is going to have; - reads standard input. The copy stands in the directory"
                + " for temporary files (TMPDIR) and goes away. Exit status 3: the store cannot be upgraded.",
            "--json: verdict, possible, reasons, changes, seconds, rows, bytesBefore, bytesAfter, queue (id, method, url, status,"
                + " fits, problem), queriesReadInFull.",
        ],
        examples: [
            .init(
                "does this phone's store survive the release?",
                line: "rehearse field.store v2.xml"
            ),
            .init("for a script", line: "rehearse field.store v2.xml --json"),
        ]
    )

    private let store: String
    private let file: MetadataFile
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        file = MetadataFile(path: arguments.operands[1])
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let (bytes, path, key) = (try file.read().bytes, store, terminal.storeKey)
        let result = try await SignalWatch.shared.cancellable {
            try await OfflineODataProvider.rehearseUpgrade(ofStoreAt: path, to: bytes, key: key)
        }
        if isJSON {
            try terminal.answer(Self.json(result) + [0x0A])
        } else {
            try terminal.answer(Self.lines(result).joined(separator: "\n"))
        }
        return result.isPossible ? .done : .incompatibleSchema
    }

    // MARK: Text

    private static func lines(_ result: OfflineODataUpgradeRehearsal) -> [String] {
        var lines = result.comparison.text().split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        .map(String.init)
        while lines.last == "" { lines.removeLast() }
        lines.append("")
        lines.append(
            result.isPossible
                ? "upgraded the copy in \(Words.time(result.duration)):"
                    + " \(Words.amount(result.rowCount, of: "entity", plural: "entities")),"
                    + " \(Words.bytes(result.byteCountBefore)) before,"
                    + " \(Words.bytes(result.byteCountAfter)) after"
                : result.comparison.verdict == .incompatible
                    ? "the store cannot be upgraded; it would stay as it is"
                    : "the store cannot be upgraded while these requests wait; it would stay as it is"
        )
        if !result.queriesReadInFull.isEmpty {
            lines.append(
                "the next download reads in full: "
                    + result.queriesReadInFull.joined(separator: ", ")
            )
        }
        let problems = result.requests.filter { $0.problem != nil }
        lines.append(
            "queue: \(Words.amount(result.requests.count, of: "request"))"
                + (!problems.isEmpty
                    ? ", \(Words.number(problems.count)) affected"
                    : result.requests.isEmpty ? "" : ", none affected")
        )
        return lines
            + problems.map { "  \($0.id)  \($0.method) \($0.url): \($0.problem ?? "")" }
    }

    // MARK: JSON

    /// The members are a promise to scripts.
    private static func json(_ result: OfflineODataUpgradeRehearsal) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("verdict", value: result.comparison.verdict.rawValue)
        writer.member("possible", value: result.isPossible)
        writer.member("reasons", values: result.reasons)
        writer.name("changes")
        writer.beginArray()
        for change in result.comparison.changes { write(change, to: &writer) }
        writer.endArray()
        writer.member("seconds", seconds: result.duration)
        writer.member("rows", value: result.rowCount)
        writer.member("bytesBefore", value: result.byteCountBefore)
        writer.member("bytesAfter", value: result.byteCountAfter)
        writer.name("queue")
        writer.beginArray()
        for request in result.requests { write(request, to: &writer) }
        writer.endArray()
        writer.member("queriesReadInFull", values: result.queriesReadInFull)
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ change: ModelChange, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("path", value: change.path)
        writer.member("change", value: change.change.rawValue)
        writer.member("what", value: change.what.rawValue)
        writer.member("compatible", value: change.isCompatible)
        writer.member("rule", value: change.ruleID)
        writer.member("detail", value: change.detail)
        writer.endObject()
    }

    private static func write(
        _ request: OfflineODataUpgradeRehearsal.Request,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("id", value: Int(request.id))
        writer.member("method", value: request.method)
        writer.member("url", value: request.url)
        writer.member("status", value: request.status)
        writer.member("fits", value: request.problem == nil)
        writer.optional("problem", value: request.problem)
        writer.endObject()
    }
}
