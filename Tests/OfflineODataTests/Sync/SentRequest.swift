@testable import StoreRecords
@testable import StoreUpload
import ODataHTTP

/// The kinds of requests that the queue holds, for tables of answers.
enum SentRequest: String, CaseIterable, Sendable {
    case create, update, replace, delete, upsert, addLink, setLink, removeLink
    case putStream, deleteStream, createMedia, call

    /// A request of the kind as it goes out.
    func outgoing(_ change: (inout QueueEntry) -> Void = { _ in }) throws -> OutgoingRequest {
        var entry = QueueEntry(
            id: 1,
            status: .sending,
            method: method,
            url: url,
            body: body,
            source: "Orders",
            row: 1,
            flags: flags,
            dependsOn: []
        )
        if url.hasSuffix("$value") || self == .createMedia { entry.streamProperty = "" }
        change(&entry)
        return try OutgoingRequest(
            entry: entry,
            contentID: 1,
            method: method,
            url: url,
            body: body,
            headers: [:]
        )
    }

    private var method: String {
        switch self {
        case .create, .addLink, .createMedia, .call: "POST"
        case .update: "PATCH"
        case .replace, .upsert, .setLink, .putStream: "PUT"
        case .delete, .removeLink, .deleteStream: "DELETE"
        }
    }

    private var url: String {
        switch self {
        case .create, .createMedia: "Orders"
        case .update, .replace, .delete, .upsert: "Orders(1)"
        case .addLink: "Orders(1)/Tags/$ref"
        case .setLink: "Orders(1)/Main/$ref"
        case .removeLink: "Orders(1)/Tags/$ref?$id=Tags('t')"
        case .putStream, .deleteStream: "Orders(1)/$value"
        case .call: "Orders(1)/S.close"
        }
    }

    private var body: String? {
        switch self {
        case .delete, .removeLink, .deleteStream, .putStream, .createMedia: nil
        case .addLink, .setLink: #"{"@odata.id":"Tags('t')"}"#
        case .create, .update, .replace, .upsert, .call: #"{"Title":"a"}"#
        }
    }

    private var flags: QueueEntry.Flags {
        switch self {
        case .upsert: .upsert
        case .call: .operation
        default: []
        }
    }
}
