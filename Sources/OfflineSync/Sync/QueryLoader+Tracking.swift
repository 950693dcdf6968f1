import StoreDownload
import OfflineValues
import ODataClient
import ODataModel

extension QueryLoader {
    /// Answers of services that refuse a request for a preference which they should pass over (RFC 7240 § 2).
    private static let refusals: Set<Int> = [400, 406, 412, 500, 501]

    /// Those that say nothing of the preference when they come for another reason, such as a service that is down for a moment.
    private static let passing: Set<Int> = [500]

    /// Loads one query; once more without asking for a delta link where the service may have refused that.
    ///
    /// That a service refuses it is remembered with the store, until everything is read anew on demand.
    func loadTracked(_ task: DownloadWork.Task) async throws -> DownloadWork.Loaded {
        var tracked = self
        tracked.loadHeaders = task.loadHeaders
        var plain = tracked
        plain.asksForChanges = false
        guard task.asksForChanges else { return try await plain.load(task) }
        do {
            return try await tracked.load(task)
        } catch let error as OfflineODataError
            where asksForChanges && client.version.isV4
            && error.httpStatus.map(Self.refusals.contains) == true
        {
            let loaded = try await plain.load(task)
            if let status = error.httpStatus, !Self.passing.contains(status) {
                try await work.noteUntracked(task.query)
            }
            return loaded
        }
    }
}
