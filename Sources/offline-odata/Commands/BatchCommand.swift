import CommandSupport
import ODataProtocol
import OfflineOData

/// `batch`: several requests at once, answered by the store.
struct BatchCommand: Command {
    static let name = "batch"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Answers a multipart or JSON batch from the store; its changes are queued.",
        forms: ["STORE @FILE"],
        operands: 2...2,
        options: [.optimize, .answersJSON],
        notes: [
            "- reads the batch from standard input. Its first bytes determine its format."
        ],
        examples: [.init("requests from a file", line: "batch field.store @requests.txt")]
    )

    private let store: String
    private let file: String
    private let optimizes: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        optimizes = arguments.has("optimize")
        isJSON = arguments.has("json")
        let word = arguments.operands[1]
        file = word.hasPrefix("@") ? String(word.dropFirst()) : word
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let body = try FileBytes.read(file)
        var request = HTTPRequest(
            method: "POST",
            url: "$batch",
            headers: ["Content-Type": try contentType(of: body)],
            body: body
        )
        if isJSON { request.headers["Accept"] = "application/json" }
        let sent = request
        let session = try StoreSession.local(store, on: terminal, optimizes: optimizes)
        let response = try await session.run { await $0.respond(to: sent) }
        try terminal.answer(LocalAnswer(response: response).body())
        let failed = failureCount(response)
        if failed > 0 {
            terminal.remark(
                "\(Words.amount(failed, of: "answer")) of the batch \(failed == 1 ? "says" : "say") that a request failed."
            )
        }
        return .done
    }

    /// How many answers in the batch are errors.
    private func failureCount(_ response: HTTPResponse) -> Int {
        guard let type = response.headers["Content-Type"],
            let batch = try? BatchResponse(reading: response.body, contentType: type)
        else { return 0 }
        return batch.items.reduce(0) { count, item in
            switch item {
            case .response(let part): count + (part.response.status >= 400 ? 1 : 0)
            case .changeSet(let parts): count + parts.count { $0.response.status >= 400 }
            }
        }
    }

    /// A JSON batch is an object; a multipart one begins with its boundary (RFC 2046 § 5.1.1).
    private func contentType(of body: [UInt8]) throws(CommandFailure) -> String {
        let start = body.drop { $0 <= 0x20 }
        if start.first == UInt8(ascii: "{") { return "application/json" }
        guard start.starts(with: "--".utf8) else {
            throw CommandFailure(
                .invalid,
                "\(file) is no batch: it begins neither with { nor with a boundary (--…)"
            )
        }
        let line = start.dropFirst(2).prefix { $0 != 0x0D && $0 != 0x0A }
        let boundary = String(decoding: line, as: UTF8.self)
        return "multipart/mixed;boundary=\"\(boundary)\""
    }
}
