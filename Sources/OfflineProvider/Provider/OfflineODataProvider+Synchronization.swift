import Synchronization
package import OfflineValues
import StoreRecords
import ODataSQLite
import OfflineSync
import ODataValues
import ODataClient
import ODataHTTP
import StoreUpload
import ODataModel
import ODataTables
import OfflineStore

extension OfflineODataProvider {
    /// Cancels the opening or download that runs; it leaves a store that the next call goes on from.
    public func cancelDownload() {
        cancel([.open, .download])
    }

    /// Cancels the upload that runs: nothing more is sent, and answers that still come are recorded.
    public func cancelUpload() {
        cancel([.upload])
    }

    private func cancel(_ operations: Set<OfflineODataProgress.Operation>) {
        // Inside the lock decide, outside it act.
        for cancel in running.guarded({ $0.cancellations(of: operations) }) { cancel() }
    }

    /// Runs an operation alone on its store, with what is known about it written down.
    func synchronize<R: Sendable>(
        _ operation: OfflineODataProgress.Operation,
        body: @escaping @Sendable (ProgressReporter) async throws -> R
    ) async throws -> R {
        try checkNotClosed()
        // What cannot begin leaves nothing to go on with.
        _ = try service()
        let start = ContinuousClock.now
        settings.log(.info, operation.rawValue + ".begin")
        let reporter = ProgressReporter(operation) { [self] in
            delegateBox.notify($0, of: self)
            progressStreams.send($0)
        }
        let task = Self.task { [self] in
            let lock = try await SyncLock(
                besides: settings.storeFile,
                waiting: settings.waitsForOtherProcess
            )
            defer { withExtendedLifetime(lock) {} }
            let isContinuation = try await begin(operation)
            let result: R
            do {
                result = try await body(reporter)
            } catch {
                await noteMessages()
                // The first error is the one to report.
                try? await noteFormat()
                if operation == .upload, error is CancellationError {
                    try? await endUnsentUpload()
                }
                if !isContinuation, (error as? StoreError)?.code == .incompatibleSchema {
                    // Nothing was loaded, and the same download would be refused again.
                    try? await end(operation)
                }
                throw error
            }
            await noteMessages()
            try await noteFormat()
            try await end(operation)
            reporter.update { $0.step = .finished }
            return result
        }
        let number = running.guarded { $0.begin(operation, in: task) }
        defer { running.guarded { $0.end(number) } }
        return try await mapping {
            do {
                let result = try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
                await delegateBox.flush()
                settings.log(
                    .info,
                    operation.rawValue + ".end",
                    Self.fields(of: result) + [("ms", .time(.now - start))]
                )
                await report(operation, result: .success(result))
                return result
            } catch {
                settings.log.error(
                    operation.rawValue + ".failed",
                    error: error,
                    fields: [("ms", .time(.now - start))]
                )
                await note(operation, error: error)
                await delegateBox.flush()
                await report(operation, result: Result<R, any Error>.failure(error))
                throw error
            }
        }
    }

    /// A task that knows that it is work of an operation.
    private static func task<R: Sendable>(
        _ work: @escaping @Sendable () async throws -> R
    ) -> Task<R, any Error> {
        Task { try await RunningOperations.$isInside.withValue(true) { try await work() } }
    }

    /// Writes down that an operation begins; returns whether an earlier one had not ended.
    private func begin(_ operation: OfflineODataProgress.Operation) async throws -> Bool {
        try await store.file.write { connection in
            let earlier = try StoreState.interruptedOperations(connection)
            try StoreState.begin(operation.rawValue, on: connection)
            return !earlier.isEmpty
        }
    }

    private func end(_ operation: OfflineODataProgress.Operation) async throws {
        try await store.file.write { try StoreState.end(operation.rawValue, on: $0) }
    }

    /// A cancelled upload of which no answer is missing has left nothing to go on with: what waits, waits.
    private func endUnsentUpload() async throws {
        try await store.file.write { connection in
            guard try UnsentRound.isAll(connection) else { return }
            try StoreState.end(OfflineODataProgress.Operation.upload.rawValue, on: connection)
        }
    }

    /// What is logged of the result of an operation.
    private static func fields<R>(of result: R) -> [Log.Field] {
        switch result {
        case let result as OfflineODataDownloadResult:
            [
                ("inserted", .count(result.insertedCount)),
                ("updated", .count(result.updatedCount)),
                ("removed", .count(result.removedCount)),
                ("conflicts", .count(result.conflictCount)),
                ("requests", .count(result.requestCount)),
            ]
        case let result as OfflineODataUploadResult:
            [
                ("carriedOut", .count(result.succeededCount)),
                ("refused", .count(result.failedCount)),
                ("unknownOutcome", .count(result.unknownCount)),
                ("requests", .count(result.requestCount)),
            ]
        default: []
        }
    }

    /// Reports to observers how an operation ended.
    private func report<R>(
        _ operation: OfflineODataProgress.Operation,
        result: Result<R, any Error>
    ) async {
        for observer in router.observers {
            switch (operation, result) {
            case (.upload, .success(let value)):
                let counts = value as? OfflineODataUploadResult
                await observer.didUpload(.success(counts ?? OfflineODataUploadResult()))
            case (.upload, .failure(let error)): await observer.didUpload(.failure(error))
            case (_, .success): await observer.didDownload(nil)
            case (_, .failure(let error)): await observer.didDownload(error)
            }
        }
    }

    /// Returns what the service had to say to people since the last call (`sap-message`), in the order in which it came.
    ///
    /// The event log keeps the messages too.
    public func takeServiceMessages() -> [String] {
        messages.guarded { messages in
            defer { messages = [] }
            return messages
        }
    }

    /// Writes what the service had to say to people into the event log; an operation does not fail for it.
    private func noteMessages() async {
        let messages = client?.takeMessages() ?? []
        guard !messages.isEmpty else { return }
        self.messages.guarded { $0 = ($0 + messages).suffix(ServiceClient.maximumMessageCount) }
        try? await store.file.write { connection in
            for message in messages { try EventLog(connection).add("Message", details: message) }
        }
    }

    /// Writes down in which format the service has answered, which is the one that changes are sent in.
    private func noteFormat() async throws {
        guard let isAtom = client?.answersAtom,
            try await store.file.read(StoreState.answersAtom) != isAtom
        else { return }
        try await store.file.write { try StoreState.setAnswersAtom(isAtom, on: $0) }
    }

    /// Writes a failed synchronisation into the event log.
    private func note(_ operation: OfflineODataProgress.Operation, error: any Error) async {
        let type = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
        let mapped = OfflineODataError.mapping(error, of: settings.storeFile)
        let details = error is CancellationError ? "cancelled" : "\(mapped)"
        // The first error is the one to report; a log that cannot be written must not hide it.
        try? await store.file.write { try EventLog($0).add(type, details: details) }
    }

    /// Runs a body whose errors become the product's.
    package func mapping<R>(_ body: () async throws -> R) async throws -> R {
        try checkNotClosed()
        do { return try await body() } catch {
            let mapped = OfflineODataError.mapping(error, of: settings.storeFile)
            if mapped is CancellationError { try checkNotEndedByClosing() }
            throw mapped
        }
    }

    /// Says that the store was closed where that, not the caller, has ended what ran.
    private func checkNotEndedByClosing() throws(OfflineODataError) {
        guard !Task.isCancelled else { return }
        try checkNotClosed()
    }

    /// Runs a body that cannot be cancelled, and maps its errors to the product's.
    package func uncancelled<R>(
        _ body: () async throws -> R
    ) async throws(OfflineODataError) -> R {
        try checkNotClosed()
        do { return try await body() } catch {
            let mapped = OfflineODataError.whole(error, of: settings.storeFile)
            if mapped.category == .cancelled { try checkNotEndedByClosing() }
            throw mapped
        }
    }

    /// Runs a body whose errors become the product's.
    func mapping<R>(_ body: () throws -> R) throws(OfflineODataError) -> R {
        try checkNotClosed()
        do { return try body() } catch {
            throw OfflineODataError.whole(error, of: settings.storeFile)
        }
    }
}
