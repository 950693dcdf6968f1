package import ODataClient
import OfflineValues
package import StoreRecords
import StoreDownload
package import ODataHTTP
package import OfflineStore

/// Brings the streams of media entities: those that are new, and those whose ETag is another one than that of the stored content.
///
/// A stream that breaks off goes on where it broke off, if the service says by its ETag that it is still the same
/// (RFC 9110 §§ 13.1.5, 14.2); else it is read anew. What a call has received is kept for the next one.
package struct MediaDownload: Sendable {
    package let store: LocalStore
    package let client: ServiceClient
    package let progress: ProgressReporter
    /// Streams that are asked for at the same time, at most.
    var requestsAtOnce = 1
    /// Header fields of the reader's that go along.
    package var ownHeaders: HTTPHeaders = [:]
    /// Looks at each answer before it is stored, and may refuse it by an error.
    package var inspect: (@Sendable (inout HTTPStreamingResponse) async throws -> Void)?

    package init(
        store: LocalStore,
        client: ServiceClient,
        progress: ProgressReporter,
        requestsAtOnce: Int = 1,
        ownHeaders: HTTPHeaders = [:],
        inspect: (@Sendable (inout HTTPStreamingResponse) async throws -> Void)? = nil
    ) {
        self.store = store
        self.client = client
        self.progress = progress
        self.requestsAtOnce = requestsAtOnce
        self.ownHeaders = ownHeaders
        self.inspect = inspect
    }

    /// What a download of streams left out.
    struct Result {
        /// Origins that are not allowed, with the number of streams there.
        var foreign: [String: Int] = [:]
        /// Where those are that the service does not have.
        var missing: [String] = []
        /// Why the first of those that failed did.
        var failure: OfflineODataError?

        /// What was left out, and how it is to be had.
        var remarks: [String] {
            let left = foreign.sorted { $0.key < $1.key }.map { origin, count in
                "\(count) \(count == 1 ? "stream" : "streams") at \(origin) left out: the origin is not allowed (allowedOrigins, --allow-origin)"
            }
            guard let first = missing.first else { return left }
            let others = missing.count == 1 ? "" : " and \(missing.count - 1) more"
            return left + [
                "the service has no stream at \(first)\(others) (404): the store has no content there"
            ]
        }
    }

    /// Brings the streams of a query.
    ///
    /// - Throws: `HTTPTransportError` at once where the service cannot be reached.
    func run(_ query: DefiningQuery) async throws -> Result {
        try await load(MediaTarget.all(of: query, store))
    }

    /// Brings the streams again that the store holds for a query that does not want them all, and that are others by now.
    ///
    /// What the service does not give any more is no longer shown as its content.
    func refresh(_ query: DefiningQuery, stamp: Int64) async throws -> Result {
        try await load(
            MediaTarget.outdated(of: query, stamp: stamp, store),
            forgetsRefused: true
        )
    }

    /// Brings streams; one that the service refuses does not keep the others away.
    ///
    /// - Parameter forgetsRefused: Whether the content of a stream goes that the service does not give any more.
    private func load(_ targets: [MediaTarget], forgetsRefused: Bool = false) async throws -> Result
    {
        let outcomes = try await targets.filter { $0.isOutdated && !$0.isKnownEmpty }
            .atOnce(requestsAtOnce) { _, target in
                try await outcome(of: target, forgetsRefused: forgetsRefused)
            }
        var result = Result()
        for outcome in outcomes {
            switch outcome {
            case .done: break
            case .missing(let link): result.missing.append(link)
            case .foreign(let origin): result.foreign[origin, default: 0] += 1
            case .failed(let error): result.failure = result.failure ?? error
            }
        }
        return result
    }

    /// What became of one stream among several.
    private enum Outcome {
        case done
        /// The service does not have it.
        case missing(String)
        /// It stands at an origin that is not allowed.
        case foreign(String)
        case failed(OfflineODataError)
    }

    private func outcome(of target: MediaTarget, forgetsRefused: Bool) async throws -> Outcome {
        do {
            if case .missing = try await load(target) { return .missing(target.link) }
        } catch let error as ServiceClient.ForeignStream {
            return .foreign(error.origin)
        } catch let error as OfflineODataError
            where forgetsRefused && [400, 403, 405].contains(error.httpStatus)
        {
            try await target.setContent(nil, in: store)
        } catch let error as OfflineODataError where error.httpStatus != nil {
            return .failed(error.of(target))
        }
        return .done
    }

    /// Brings one stream, if it has changed.
    ///
    /// - Returns: What the service has of it, once it is stored.
    @discardableResult
    package func load(_ target: MediaTarget) async throws -> Fetched {
        guard target.isOutdated else { return .unchanged }
        let fetched = try await fetch(target.link, ifChangedFrom: target.storedETag, for: target)
        switch fetched {
        case .unchanged: break
        case .missing: try await target.setContent(nil, in: store)
        case .empty: try await target.setContent(nil, isEmpty: true, in: store)
        case .content(let content, let etag):
            try await target.setContent(content, etag: etag, in: store)
        }
        return fetched
    }

    /// What the service has of a stream.
    package enum Fetched: Sendable {
        case unchanged
        case missing
        /// There is a stream, and nothing in it.
        case empty
        /// Received as a whole, into a content that nothing names yet.
        case content(Int64, etag: String?)
    }

    /// Receives a stream.
    ///
    /// - Parameter target: The stream in the store, so that a later call can go on with what has come.
    package func fetch(
        _ link: String,
        ifChangedFrom etag: String? = nil,
        for target: MediaTarget? = nil
    ) async throws -> Fetched {
        var transfer = MediaTransfer(knownETag: etag, target: target, store: store)
        try await transfer.resume()
        do {
            return try await fetch(link, transfer: &transfer)
        } catch {
            // The error is the one to report; what nothing refers to is removed later in any case.
            if error is AnswerTooLarge || error is UnstoredAnswer {
                try? await transfer.startOver()
            } else {
                try? await transfer.keepForLater()
            }
            throw error
        }
    }

    /// Asks as often as the policy allows, and receives what comes.
    private func fetch(_ link: String, transfer: inout MediaTransfer) async throws -> Fetched {
        let budget = client.budget()
        while true {
            let failure: any Error
            do {
                var response = try await client.stream(
                    link,
                    headers: transfer.headers.adding(ownHeaders),
                    budget: budget
                )
                try await inspect?(&response)
                return try await transfer.receive(response) { count in
                    progress.advance { $0.receivedByteCount += count }
                }
            } catch let error as HTTPTransportError
                where error.code.isTemporary && transfer.isReading
            {
                failure = error
            } catch let error as OfflineODataError
                where error.httpStatus == 416 && transfer.isResumed
            {
                // The range is none of the present content's: all of it is asked for.
                failure = error
                try await transfer.startOver()
            } catch let error as OfflineODataError where [404, 410].contains(error.httpStatus) {
                // No collection shows the contents of streams.
                try await PageLook(store: store, client: client).check(error, at: "")
                try await transfer.startOver()
                return .missing
            }
            try await transfer.prepareRetry()
            guard try await budget.waits() else { throw failure }
        }
    }
}

extension OfflineODataError {
    /// The same error, naming the stream.
    fileprivate func of(_ target: MediaTarget) -> OfflineODataError {
        var named = self
        named.message = "stream \(target.link): " + message
        return named
    }
}

extension HTTPHeaders {
    /// These fields with others behind them, which do not replace any.
    fileprivate func adding(_ others: HTTPHeaders) -> HTTPHeaders {
        var all = self
        for field in others.fields where self[field.name] == nil {
            all.add(field.name, field.value)
        }
        return all
    }
}
