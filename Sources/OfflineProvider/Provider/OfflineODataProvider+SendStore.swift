import OfflineValues
import ODataClient
import OfflineSync
import ODataValues
import ODataHTTP

/// Sending a copy of the store to the service's operator, who looks into a problem.
extension OfflineODataProvider {
    /// Sends a copy of the store by PUT to the parameters' `sendStoreURL`; reads and changes go on meanwhile.
    ///
    /// The copy holds everything the store holds, pending changes included. The delegate receives the progress.
    /// - Throws: ``OfflineODataError`` where the parameters name no URL, the URL is of another origin, or the service refuses the
    ///   copy; `CancellationError`.
    public func sendStore() async throws {
        try await mapping {
            let client = try service()
            guard let path = settings.sendStoreURL else {
                throw OfflineODataError(
                    .notSupported,
                    "OData has no resource for a store: set OfflineODataParameters.sendStoreURL to one that accepts a PUT"
                )
            }
            let target = try client.url.resolve(path, against: client.url.root)
            let reporter = ProgressReporter(.sendStore) { [self] in
                delegateBox.notify($0, of: self)
                progressStreams.send($0)
            }
            reporter.update { $0.step = .copyingStore }
            let copy = try await StoreCopy(of: store, besides: settings.storeFile)
            try await send(copy, to: target, through: client, reporter: reporter)
            reporter.update { $0.step = .finished }
            await delegateBox.flush()
        }
    }

    private func send(
        _ copy: StoreCopy,
        to target: String,
        through client: ServiceClient,
        reporter: ProgressReporter
    ) async throws {
        try Task.checkCancellation()
        reporter.update {
            $0.step = .sendingStore
            $0.storeByteCount = copy.byteCount
        }
        let response = try await client.write(
            "PUT",
            absolute: target,
            headers: ["Content-Type": "application/vnd.sqlite3"],
            body: [],
            streamedBody: copy.body { count in reporter.advance { $0.sentByteCount += count } }
        )
        guard response.isSuccess else { throw ServiceClient.error(response, for: "PUT") }
    }
}
