import ODataModel
import OfflineStore

extension QueryLoader {
    /// Answers of services that refuse a request for a preference which they should pass over (RFC 7240 § 2).
    private static let refusals: Set<Int> = [400, 406, 412, 500, 501]

    /// Loads one query; once more without asking for a delta link where the service may have refused that.
    func loadTracked(_ task: DownloadWork.Task) async throws -> DownloadWork.Loaded {
        do {
            return try await load(task)
        } catch let error as OfflineODataError
            where asksForChanges && client.version.isV4
            && error.httpStatus.map(Self.refusals.contains) == true
        {
            var plain = self
            plain.asksForChanges = false
            return try await plain.load(task)
        }
    }
}
