import CommandSupport
import ODataProtocol
import OfflineOData

/// What a download did, in words, as JSON and as an exit status.
struct DownloadReport {
    let result: OfflineODataDownloadResult
    /// The error that names the queries that failed; nil where none did.
    let failure: OfflineODataError?

    /// Runs a download; that some queries fail is part of its result.
    static func run(
        _ session: StoreSession,
        work:
            @escaping @Sendable (OfflineODataProvider) async throws -> OfflineODataDownloadResult
    ) async throws -> DownloadReport {
        do {
            let result = try await session.run(work)
            return DownloadReport(result: result, failure: nil)
        } catch let error as OfflineODataError {
            guard let result = error.download else { throw error }
            return DownloadReport(result: result, failure: error)
        }
    }

    var sentence: String {
        let counts = [
            (result.insertedCount, "new"), (result.updatedCount, "changed"),
            (result.removedCount, "removed"), (result.conflictCount, "in conflict"),
        ]
        var words = counts.map { "\(Words.number($0.0)) \($0.1)" }.joined(separator: ", ")
        // Most services have none.
        if result.linkCount > 0 {
            words += ", \(Words.amount(result.linkCount, of: "link")) made or ended"
        }
        let requests = Words.amount(result.requestCount, of: "request")
        return "downloaded: \(words), \(requests), \(Words.time(result.duration))"
    }

    /// Writes the warnings, and names the queries that failed.
    func advise(_ terminal: Terminal) {
        for remark in remarks { terminal.remark(remark) }
    }

    /// The warnings, each with the name of its query.
    var remarks: [String] {
        result.queries.flatMap { query in query.remarks.map { "\(query.name): \($0)" } }
    }

    /// How the process ends on account of the download.
    ///
    /// - Throws: `CommandFailure` that names the queries that failed.
    func end() throws -> ExitStatus {
        guard let commandFailure else { return .done }
        throw commandFailure
    }

    /// Writes the result as an object.
    ///
    /// - Parameter saysFailure: Whether it says there as well why the command fails, as an answer that stands alone does.
    func write(to writer: inout JSONWriter, saysFailure: Bool = false) {
        writer.beginObject()
        writer.member("inserted", value: result.insertedCount)
        writer.member("updated", value: result.updatedCount)
        writer.member("removed", value: result.removedCount)
        writer.member("links", value: result.linkCount)
        writer.member("conflicts", value: result.conflictCount)
        writer.name("queries")
        Self.write(result.queries, to: &writer)
        writer.member("requests", value: result.requestCount)
        writer.member("seconds", seconds: result.duration)
        if saysFailure { commandFailure?.write(to: &writer) }
        writer.endObject()
    }

    /// Why the command fails; nil where every query was loaded.
    var commandFailure: CommandFailure? { failure.map { CommandFailure($0) } }

    static func write(_ queries: [OfflineODataDownloadResult.Query], to writer: inout JSONWriter) {
        writer.beginArray()
        for query in queries {
            writer.beginObject()
            writer.member("name", value: query.name)
            writer.member("url", value: query.url)
            writer.member("inserted", value: query.insertedCount)
            writer.member("updated", value: query.updatedCount)
            writer.member("removed", value: query.removedCount)
            writer.member("links", value: query.linkCount)
            writer.member("conflicts", value: query.conflictCount)
            writer.name("remarks")
            writer.beginArray()
            for remark in query.remarks { writer.string(remark) }
            writer.endArray()
            writer.optional("error", value: query.error?.message)
            writer.endObject()
        }
        writer.endArray()
    }
}
