package import OfflineValues
package import ODataHTTP
package import ODataTables
package import OfflineStore

/// A change that the application makes to the store.
package enum LocalChange: Sendable {
    /// An entity in the set, or in the collection of another entity, that a URL names.
    case create(in: String)
    /// The entity that a URL names.
    case update(String)
    case delete(String)
    /// A navigation property of an entity: `Orders(1)/Parts`.
    case link(String)
    /// A media stream or stream property.
    case stream(String)
    /// The call of an action or function.
    case operation(String)
    /// A request in OData form, perhaps a batch.
    case request(HTTPRequest)
}

extension LocalChange {
    /// The kind of change, without what it is about.
    var kind: String {
        switch self {
        case .create: "create"
        case .update: "update"
        case .delete: "delete"
        case .link: "link"
        case .stream: "stream"
        case .operation: "operation"
        case .request: "request"
        }
    }
}

/// Refuses what must not be queued, in the transaction that queues it.
package typealias QueueCheck = @Sendable ([String], TableQuery, TableSchema) throws -> Void

/// Hears what happens to a store; a layer above registers any number.
package protocol StoreObserver: Sendable {
    /// Before a local change; an error refuses it, and nothing is changed.
    func willMake(_ change: LocalChange) throws
    /// What requests in OData form are checked by before they are committed; nil where anything may be queued.
    ///
    /// It is given the URLs of the requests that are queued, one by one also where they came in a batch; an error refuses the change.
    func queueCheck() async throws -> QueueCheck?
    /// After a local change is committed and queued.
    func didMake(_ change: LocalChange)
    /// Before an upload begins; with the service's lock not yet taken.
    func willUpload() async throws
    /// After an upload, also after one that ended with an error.
    func didUpload(_ result: Result<OfflineODataUploadResult, any Error>) async
    /// Whether ``didChange(_:)`` is wanted for the download that begins.
    var wantsRowChanges: Bool { get }
    /// After a download or an opening, with the entities that it has updated or removed.
    func didChange(_ changes: [RowChange]) async
    /// After a download or an opening.
    func didDownload(_ error: (any Error)?) async
}

extension StoreObserver {
    package func willMake(_ change: LocalChange) throws {}
    package func queueCheck() async throws -> QueueCheck? { nil }
    package func didMake(_ change: LocalChange) {}
    package func willUpload() async throws {}
    package func didUpload(_ result: Result<OfflineODataUploadResult, any Error>) async {}
    package func didDownload(_ error: (any Error)?) async {}
    package var wantsRowChanges: Bool { false }
    package func didChange(_ changes: [RowChange]) async {}
}
