import CommandSupport
import ODataProtocol
import OfflineOData
import Synchronization

/// Uploads and downloads that the page starts, one at a time, and how far they have come.
///
/// The listener answers with whole bodies, so the page asks again while something runs.
final class PageSynchronization: Sendable {
    private enum Operation: String {
        case upload
        case download
        case sync
    }

    private struct State {
        var operation: Operation?
        var task: Task<Void, Never>?
        var progress: OfflineODataProgress?
        var isCancelling = false
        var upload: UploadReport?
        var download: DownloadReport?
        var failure: CommandFailure?
    }

    private let store: String
    private let session: StoreSession
    private let state = Mutex(State())

    init(store: String, session: StoreSession) {
        self.store = store
        self.session = session
    }

    // MARK: - Actions

    /// Starts an operation and returns the state.
    ///
    /// - Throws: ``CommandFailure`` where one runs already.
    func start(_ name: String?) throws(CommandFailure) -> [UInt8] {
        guard let operation = name.flatMap({ Operation(rawValue: $0) }) else {
            throw CommandFailure(.invalid, "'operation' is one of upload, download, sync")
        }
        let isFree = state.guarded { state in
            guard state.task == nil else { return false }
            state = State(operation: operation)
            state.task = Task { [self] in await run(operation) }
            return true
        }
        guard isFree else {
            throw CommandFailure(
                .inUse,
                "a synchronisation runs already: wait for it, or cancel it"
            )
        }
        return json()
    }

    /// Cancels what runs; what was done stays.
    func cancel() -> [UInt8] {
        let task = state.guarded { state in
            state.isCancelling = state.task != nil
            return state.task
        }
        task?.cancel()
        return json()
    }

    /// Cancels what runs and waits for its end.
    func stop() async {
        let task = state.guarded { $0.task }
        task?.cancel()
        await task?.value
    }

    // MARK: - Running

    private func run(_ operation: Operation) async {
        let updates = session.provider.progressUpdates()
        let listening = Task { [self] in
            for await progress in updates { state.guarded { $0.progress = progress } }
        }
        do {
            if operation != .download { try await upload() }
            if operation != .upload { try await download() }
        } catch {
            state.guarded { $0.failure = CommandFailure(error) }
        }
        listening.cancel()
        state.guarded { $0.task = nil }
    }

    private func upload() async throws {
        let report = try await UploadReport.run(session, store: store)
        state.guarded { $0.upload = report }
    }

    /// Queries that failed stand in the report.
    private func download() async throws {
        let report = try await DownloadReport.run(session) { try await $0.download() }
        state.guarded { state in
            state.download = report
            state.failure = report.failure.map { CommandFailure($0) }
        }
    }

    // MARK: - JSON

    /// The current or last synchronization: its progress and its result.
    func json() -> [UInt8] {
        let state = state.guarded { $0 }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", value: Self.name(of: state))
        writer.optional("operation", value: state.operation?.rawValue)
        writer.name("progress")
        if let progress = state.progress {
            Self.write(progress, to: &writer)
        } else {
            writer.null()
        }
        writer.optional("upload", value: state.upload?.sentence)
        writer.optional("download", value: state.download?.sentence)
        writer.member("refused", value: state.upload?.result.failedCount ?? 0)
        writer.member("remarks", values: state.download?.remarks ?? [])
        writer.optional("message", value: state.failure?.message)
        writer.member("details", values: state.failure?.details ?? [])
        writer.endObject()
        return writer.bytes
    }

    private static func name(of state: State) -> String {
        guard state.operation != nil else { return "idle" }
        guard state.task == nil else { return state.isCancelling ? "cancelling" : "running" }
        guard let failure = state.failure else { return "done" }
        return failure.status == .cancelled ? "cancelled" : "failed"
    }

    private static func write(_ progress: OfflineODataProgress, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("operation", value: progress.operation.rawValue)
        writer.member(
            "text",
            value: ProgressText.headline(progress) + ProgressText.amounts(progress)
        )
        let counts = Self.counts(progress)
        writer.member("done", value: counts.done)
        writer.member("total", value: counts.total)
        writer.endObject()
    }

    /// Requests of an upload, where it has any; else steps.
    private static func counts(_ progress: OfflineODataProgress) -> (done: Int, total: Int) {
        if progress.operation == .upload, progress.requestCount > 0 {
            return (progress.answeredRequestCount, progress.requestCount)
        }
        return (progress.stepNumber, progress.stepCount)
    }
}
