import CommandSupport
import OfflineOData

/// `index`: makes and removes indexes of a store.
struct IndexCommand: Command {
    static let name = "index"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Makes an index for filters, orders or $search, or removes one for $search.",
        forms: [
            "STORE SET PROPERTY… [--json]", "STORE SET --search [--remove] [--json]",
        ],
        operands: 2...64,
        options: [
            .flag("search", help: "index the words of all string properties, for $search"),
            .flag("remove", help: "with --search: remove that index"),
            .json,
        ],
        notes: [
            "Answers are the same with an index and without one. Each is kept up with every change of the set.",
            "An index for $search takes about twice the room of the texts.",
        ],
        examples: [
            .init("orders by status and date", line: "index field.store WorkOrders Status DueAt"),
            .init("find words in large sets", line: "index field.store Parts --search"),
        ]
    )

    private enum Work {
        case index([String])
        case search
        case removeSearch
    }

    private let store: String
    private let set: String
    private let work: Work
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        set = arguments.operands[1]
        isJSON = arguments.has("json")
        let properties = Array(arguments.operands.dropFirst(2))
        switch (arguments.has("search"), arguments.has("remove"), properties.isEmpty) {
        case (true, let isRemoving, true): work = isRemoving ? .removeSearch : .search
        case (true, _, false):
            throw .usage("an index for $search is of all string properties: name none")
        case (false, true, _):
            throw .usage("only the index for $search can be removed: `--search --remove`")
        case (false, false, false): work = .index(properties)
        case (false, false, true):
            throw .usage("name the properties of the index, or give `--search`")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let provider = try StoreSession.local(store, on: terminal).provider
        let start = ContinuousClock.now
        var answer: String
        switch work {
        case .index(let properties):
            try await provider.createIndex(on: set, properties: properties)
            answer = "indexed \(set) by \(properties.joined(separator: ", "))"
        case .search:
            try await provider.createSearchIndex(on: set)
            answer = "indexed the words of \(set)"
        case .removeSearch:
            try await provider.removeSearchIndex(on: set)
            answer = "\(set) has no index for $search"
        }
        let time = ContinuousClock.now - start
        answer += ", \(Words.time(time))"
        try AffectedReport([set], time: time).answer(answer, isJSON: isJSON, on: terminal)
        return .done
    }
}
