package import ODataHTTP

/// What a local change says about its upload.
package struct ChangeOptions: Sendable {
    package var flags: QueueEntry.Flags = []
    /// Texts of the application's own, by the columns of the queue that keep them.
    package var labels: [QueueColumn: String] = [:]
    package var category: Group?
    package var transaction: Group?
    /// Header fields that go along with the request.
    package var headers: HTTPHeaders = [:]

    /// Header fields with placeholders: see `HeaderTemplate`.
    package var headerTemplates: HTTPHeaders = [:]
    /// Whether the request may be merged into one that waits, or cancel it.
    package var optimizes = false
    /// Whether refused requests stay whatever the change does to their entity: it may be taken back.
    package var keepsRefused = false

    package init() {}

    /// The name of a transaction or an upload category.
    package enum Group: Sendable {
        case named(String)
        /// The id of an entity, found by its URL.
        case entity(String)
        /// The id of the entity that the request creates; of other requests, that of the entity which they are about.
        case affected
    }
}
