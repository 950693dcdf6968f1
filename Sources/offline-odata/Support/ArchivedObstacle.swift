import CommandSupport
import OfflineOData

/// What a refused request would meet at the service if it were sent again as it is.
enum ArchivedObstacle: Sendable {
    /// Another client has changed the entity (412).
    case newerVersion
    /// The service has deleted the entity (404, 410).
    case deletion

    /// Reads what stands against a request; nil where nothing is known of it.
    static func read(
        _ item: QueueListing.Item,
        of provider: OfflineODataProvider
    ) async throws -> ArchivedObstacle? {
        guard let link = item.link, item.entry.method != "POST",
            let status = item.entry.failure?.httpStatus, [404, 410, 412].contains(status)
        else { return nil }
        let conflict = try await provider.conflict(for: link)
        if conflict.isDeletedAtService { return .deletion }
        // Services say 412 for conditions of their own, too: without a newer version the request may do the next time.
        let isNewer = conflict.hasOtherValues || !conflict.streams.isEmpty
        return status == 412 && isNewer ? .newerVersion : nil
    }

    private static func sides(of entry: OfflineODataRequest, isEditing: Bool) -> String {
        if entry.method == "DELETE" { return "local|server" }
        return isEditing ? "merge BODY" : "local|server|merge"
    }

    /// What to say to a person who wants to send the request again.
    func failure(_ item: QueueListing.Item, store: String, isEditing: Bool) -> CommandFailure {
        let link = item.link ?? item.entry.url
        let entity = "\(ShellText.quoted(store)) \(ShellText.quoted(link))"
        let (reason, advice) =
            switch self {
            case .newerVersion:
                (
                    "another client has changed \(link) (412)",
                    "`conflict \(entity)` shows the versions, `resolve \(entity) "
                        + Self.sides(of: item.entry, isEditing: isEditing)
                        + "` decides."
                )
            case .deletion:
                (
                    "the service has deleted \(link)",
                    "`resolve \(entity) local` creates it anew, `resolve \(entity) server` lets the deletion stand; where it is"
                        + " back at the service, `download` brings it."
                )
            }
        return CommandFailure(
            .failed,
            "request \(item.entry.id) would be refused again: \(reason)",
            advice: advice
        )
    }
}
