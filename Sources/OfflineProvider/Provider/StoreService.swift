import ODataText
import StoreRecords
import ODataHTTP
import ODataAnswers
import ODataSQL
import ODataTables

/// Answers HTTP requests from a store, for a listener.
final class StoreService: HTTPHandler {
    private let provider: OfflineODataProvider
    private let options: ServiceOptions
    private let handler: ODataServiceHandler

    init(provider: OfflineODataProvider, options: ServiceOptions) {
        self.provider = provider
        self.options = options
        let history = AnswerHistory()
        var additions = Self.additions
        additions.deltas = { ComparedDeltas($0, history: history) }
        handler = ODataServiceHandler(
            store: Self.store(provider),
            options: options,
            additions: additions
        )
    }

    /// Additions shared by all answers from a store.
    static var additions: ServiceAdditions {
        var additions = ServiceAdditions()
        additions.isUnknownStream = { query, row, property in
            guard let table = query.layout[row.source] else { return false }
            return try StoreStreams(query.connection)
                .isUnknown(row.row, property: property, in: table)
        }
        return additions
    }

    private static func store(_ provider: OfflineODataProvider) -> OptionedStore {
        OptionedStore(
            store: provider.store,
            options: provider.localOptions,
            router: provider.router
        )
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        do {
            try provider.checkNotClosed()
            guard ["GET", "HEAD"].contains(request.method) else {
                return try await provider.observed(.request(request)) {
                    await handler.respond(to: request)
                }
            }
            // A delta link is this store's own, whichever rules say where reads are answered.
            guard let url = handler.relativeURL(of: request),
                URLParts(url).value("deltatoken") == nil
            else { return await handler.respond(to: request) }
            let source = try await provider.router.source(
                of: ReadRequest(url, headers: request.headers)
            )
            return await answer(request, from: source)
        } catch {
            return OfflineODataProvider.answer(to: error)
        }
    }

    private func answer(_ request: HTTPRequest, from source: ReadSource) async -> HTTPResponse {
        switch source {
        case .store: return await handler.respond(to: request)
        case .response(let response, _): return response
        case .nothing: return OfflineODataProvider.noAnswer
        case .collection(let collection, _):
            var store = Self.store(provider)
            store.collection = collection
            return await ODataServiceHandler(
                store: store,
                options: options,
                additions: Self.additions
            ).respond(to: request)
        }
    }
}

extension OfflineODataProvider {
    /// The options of changes that say nothing about their upload.
    var localOptions: ChangeOptions {
        var options = ChangeOptions()
        options.optimizes = settings.optimizesQueue
        return options
    }
}
