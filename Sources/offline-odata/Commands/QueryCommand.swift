import CommandSupport
import ODataProtocol
import OfflineOData

/// `query`: the defining queries of a store.
struct QueryCommand: Command {
    static let name = "query"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Lists, adds or removes the defining queries of a store.",
        forms: [
            "list STORE [--json]", "add STORE NAME=URL [--json]", "remove STORE NAME [--json]",
        ],
        operands: 2...3,
        options: [
            .flag("streams", help: "add: also download the streams of the query's media entities"),
            .json,
        ],
        notes: [
            "The data of a query that was added comes with the next open or download. Removing one removes the entities that"
                + " no other query covers; one with a change that waits stays until it is uploaded."
        ],
        examples: [
            .init("what does the store hold?", line: "query list field.store"),
            .init(
                "more of it",
                line:
                    "query add field.store \"Open=WorkOrders?\\$filter=Status eq FieldService.Status'Open'\""
            ),
            .init("less of it", line: "query remove field.store Customers"),
        ]
    )

    private enum Action {
        case list
        case add(OfflineODataDefiningQuery)
        case remove(String)
    }

    private let store: String
    private let action: Action
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        let words = try StoreAction.split(arguments.operands, actions: ["list", "add", "remove"])
        store = words.store
        isJSON = arguments.has("json")
        switch (words.action, words.rest.first) {
        case ("add", let text?):
            var query = try DefiningQueryText.read(text)
            query.automaticallyRetrievesStreams = arguments.has("streams")
            action = .add(query)
        case ("remove", let name?): action = .remove(name)
        case ("list", nil): action = .list
        case ("add", _): throw .usage("the query is missing", advice: "Write it as NAME=URL.")
        case ("remove", _): throw .usage("the name of the query is missing")
        default: throw .usage("`query list` takes nothing but the store")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, on: terminal)
        switch action {
        case .list: try await list(session.provider, on: terminal)
        case .add(let query): try await add(query, to: session.provider, on: terminal)
        case .remove(let name):
            let start = ContinuousClock.now
            let before = try await session.provider.status().entityCount
            try await session.provider.removeDefiningQuery(named: name)
            let removed = try await before - session.provider.status().entityCount
            let entities = Words.amount(removed, of: "entity", plural: "entities")
            let time = ContinuousClock.now - start
            try AffectedReport([name], removed: removed, time: time).answer(
                removed > 0 ? "removed \(name) with \(entities)" : "removed \(name)",
                isJSON: isJSON,
                on: terminal
            )
        }
        return .done
    }

    private func add(
        _ query: OfflineODataDefiningQuery,
        to provider: OfflineODataProvider,
        on terminal: Terminal
    ) async throws {
        let start = ContinuousClock.now
        try await DefiningQueryText.check([query], in: provider)
        let isKnown = try await provider.status().queries.contains {
            $0.name == query.name && $0.url == query.query
        }
        try await provider.addDefiningQuery(query)
        let time = ContinuousClock.now - start
        try AffectedReport(isKnown ? [] : [query.name], time: time).answer(
            isKnown
                ? "\(query.name) is there already"
                : "added \(query.name): its data comes with the next open or download",
            isJSON: isJSON,
            on: terminal
        )
    }

    private func list(_ provider: OfflineODataProvider, on terminal: Terminal) async throws {
        let queries = try await provider.status().queries
        if isJSON {
            var writer = JSONWriter()
            StatusJSON.write(queries, to: &writer)
            return try terminal.answer(writer.bytes + [0x0A])
        }
        guard !queries.isEmpty else { return try terminal.answer("no defining queries") }
        for line in StatusText.table(queries).lines() { try terminal.answer(line) }
    }
}
