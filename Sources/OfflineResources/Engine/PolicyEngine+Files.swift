public import OfflinePolicies
import ODataValues
public import ODataHTTP
import OfflineOData

/// Files: the contents of media entities and stream properties, read and changed by policies of their own.
///
/// Their defaults are those of storage objects (``EffectivePolicy/storage``): the service's version wins, a copy is stale after a day and
/// evicted at the next start. A configured path that covers the file, the resource's own policies and response headers come before that.
extension PolicyEngine {
    /// Reads a file by the policies in force for its URL.
    ///
    /// - Parameters:
    ///   - url: Relative to the service root: `Photos(1)/$value`, `People(2)/Picture`.
    ///   - policy: The reader's own policies.
    ///   - headers: Header fields that go along where the service is asked.
    ///   - fileLimit: Bytes beyond which the file is answered, but not kept; nil leaves that to `maxStoreSize`.
    /// - Throws: ``OfflineODataError`` where the URL addresses no stream, or the service answers an error.
    public func readFile(
        _ url: String,
        policy: ResourcePolicy = ResourcePolicy(),
        headers: HTTPHeaders = [:],
        fileLimit: Int? = nil
    ) async throws -> FileAnswer {
        let request = PolicyRequest(policy, fileLimit: fileLimit ?? .max)
        let url = try await resolved(url)
        let read = ReadRequest(.stream(url), headers: headers, context: request)
        let content = try await provider.stream(read)
        let outcome = request.outcome
        return FileAnswer(
            content: content,
            origin: outcome.origin ?? OfflineODataOrigin(place: .store),
            policy: outcome.policy,
            failure: outcome.failure
        )
    }

    /// Replaces the content of a file; online at once, offline as its update policy says.
    ///
    /// - Throws: ``OfflineODataError`` as ``create(_:options:)`` does.
    @discardableResult
    public func saveFile(
        _ url: String,
        content: [UInt8],
        contentType: String,
        options: ResourceChangeOptions = ResourceChangeOptions()
    ) async throws -> ResourceChange.State {
        let url = try await resolved(url)
        if let conflicts = options.policy.conflictResolutionPolicy {
            try await addPolicy(ResourcePolicy(conflictResolutionPolicy: conflicts), for: url)
        }
        var options = options
        options.policy.conflictResolutionPolicy = nil
        let owner = url.lastIndex(of: "/").map { String(url[..<$0]) } ?? url
        let change = try await change(url, byteCount: content.count, options: options) { provider in
            let pieces = AsyncStream { continuation in
                continuation.yield(content)
                continuation.finish()
            }
            try await provider.setStream(url, content: pieces, contentType: contentType)
            // What becomes of the change is known by the entity.
            return try await provider.executeQuery(owner).first
        }
        events.send(ResourceEvent(kind: .changed, url: owner, entity: change.entity))
        return change.state
    }

    /// Whether a URL addresses the content of a stream.
    func isFile(_ url: String) async -> Bool {
        guard url.contains("/"), !url.contains("?") else { return false }
        return (try? await provider.addressesStream(url)) ?? false
    }
}
