package import ODataProtocol

/// What a local change says about its upload.
package struct ChangeOptions: Sendable {
    package var flags: QueueEntry.Flags = []
    package var tag: String?
    package var category: String?
    package var transaction: String?
    /// Header fields that go along with the request.
    package var headers: HTTPHeaders = [:]

    package init() {}
}
