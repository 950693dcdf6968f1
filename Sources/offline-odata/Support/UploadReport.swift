import CommandSupport
import ODataProtocol
import OfflineOData
import OfflineResources

/// What an upload did, in words, as JSON and as an exit status.
struct UploadReport {
    let result: OfflineODataUploadResult
    let store: String
    /// Refused requests that a policy has taken back, since the service's version wins.
    var takenBackCount = 0
    /// Why the upload ended before it was through; nil where it was.
    var failure: CommandFailure?

    /// Uploads as `run` does; that it was cancelled, or the connection failed, half-way is part of the result.
    static func attempt(
        _ session: StoreSession,
        store: String,
        categories: [String]? = nil
    ) async throws -> UploadReport {
        do {
            return try await run(session, store: store, categories: categories)
        } catch {
            guard let result = session.provider.interruptedUpload else { throw error }
            return UploadReport(result: result, store: store, failure: CommandFailure(error))
        }
    }

    /// Uploads what waits, by the policies that the store keeps where it keeps some.
    static func run(
        _ session: StoreSession,
        store: String,
        categories: [String]? = nil
    ) async throws -> UploadReport {
        guard let engine = session.engine else {
            let result = try await session.run { try await $0.upload(categories: categories) }
            return UploadReport(result: result, store: store)
        }
        let report = try await session.run(refusals: \.outcome.refusedRequestIDs) { _ in
            try await engine.synchronize(categories: categories)
        }
        return UploadReport(
            result: report.outcome,
            store: store,
            takenBackCount: report.takenBackCount
        )
    }

    var sentence: String {
        var parts: [String] = []
        func add(_ count: Int, _ words: String, always: Bool = false) {
            if count > 0 || always { parts.append("\(Words.number(count)) \(words)") }
        }
        let settled = result.succeededCount + result.failedCount
        add(result.succeededCount, "carried out", always: settled > 0)
        add(takenBackCount, "taken back for the service's version")
        add(result.failedCount, "refused")
        add(result.unknownCount, "with unknown outcome")
        add(
            result.parkedCount,
            result.failedCount > 0 ? "parked behind refused requests" : "parked"
        )
        add(result.waitingCount, "still waiting")
        guard !parts.isEmpty else { return "uploaded: nothing was waiting" }
        parts += [Words.amount(result.requestCount, of: "request"), Words.time(result.duration)]
        return (settled + takenBackCount > 0 ? "uploaded: " : "nothing uploaded: ")
            + parts.joined(separator: ", ")
    }

    var status: ExitStatus {
        if result.failedCount > 0 { return .requestsRefused }
        return result.unknownCount > 0 ? .failed : .done
    }

    /// Why the upload is no success though it came to its end; nil where all outcomes are known.
    private var undecided: CommandFailure? {
        guard result.failedCount == 0, result.unknownCount > 0 else { return nil }
        return CommandFailure(
            .failed,
            "\(Words.amount(result.unknownCount, of: "request")) with unknown outcome",
            advice:
                "`offline-odata queue \(ShellText.quoted(store))` lists the requests that need a decision."
        )
    }

    func advise(_ terminal: Terminal) {
        let store = ShellText.quoted(store)
        if result.failedCount > 0 {
            terminal.remark(
                "`offline-odata errors \(store)` shows why they were refused."
            )
        } else if result.parkedCount > 0 {
            terminal.remark(
                "`offline-odata queue show \(store) ID` shows what a parked request waits for, and why."
            )
        }
        if result.unknownCount > 0 {
            terminal.remark(
                "`offline-odata queue \(store)` lists the requests that need a decision."
            )
        }
        if result.waitingCount > 0 {
            terminal.remark(
                "`offline-odata queue \(store)` lists what waits: for another upload category, or for a request whose outcome is"
                    + " not known."
            )
        }
    }

    /// The members are a promise to scripts.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("carriedOut", value: result.succeededCount)
        writer.member("refused", value: result.failedCount)
        writer.member("unknownOutcome", value: result.unknownCount)
        writer.member("parked", value: result.parkedCount)
        writer.member("waiting", value: result.waitingCount)
        if takenBackCount > 0 { writer.member("takenBack", value: takenBackCount) }
        writer.member("requests", value: result.requestCount)
        writer.member("seconds", seconds: result.duration)
        writer.name("refusedIDs")
        writer.beginArray()
        for id in result.refusedRequestIDs { writer.integer(id) }
        writer.endArray()
        (failure ?? undecided)?.write(to: &writer)
        writer.endObject()
    }

    /// The result as a JSON document.
    func json() -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes + [0x0A]
    }
}
