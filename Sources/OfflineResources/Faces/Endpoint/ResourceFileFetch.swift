public import OfflinePolicies
import ODataHTTP
import OfflineOData

/// A fetch of a file that is put together step by step, and then executed as often as wanted.
public struct ResourceFileFetch: Sendable {
    let engine: PolicyEngine
    /// The URL relative to the service root.
    public let url: String
    private var headers: HTTPHeaders = [:]
    private var policy = ResourcePolicy()
    private var fileLimit: Int?
    private var priority: PinPriority?

    init(engine: PolicyEngine, url: String) { (self.engine, self.url) = (engine, url) }

    /// Adds a header field that goes along where the service is asked.
    public func header(_ name: String, _ value: String) -> ResourceFileFetch {
        changed { $0.headers.add(name, value) }
    }

    /// Sets the fetch's own policies.
    public func policy(_ policy: ResourcePolicy) -> ResourceFileFetch {
        changed { $0.policy = policy }
    }

    /// Sets the bytes beyond which the file is not kept.
    public func limit(_ byteCount: Int) -> ResourceFileFetch {
        changed { $0.fileLimit = byteCount }
    }

    /// Pins the file with the fetch.
    public func pin(_ priority: PinPriority) -> ResourceFileFetch {
        changed { $0.priority = priority }
    }

    private func changed(_ change: (inout ResourceFileFetch) -> Void) -> ResourceFileFetch {
        var copy = self
        change(&copy)
        return copy
    }

    /// Fetches the content with its origin, and the policies that were in force.
    public func execute() async throws -> FileAnswer {
        let answer = try await engine.readFile(
            url,
            policy: policy,
            headers: headers,
            fileLimit: fileLimit
        )
        if let priority, answer.isKept { try await engine.pin(url, priority: priority) }
        return answer
    }

    /// Deletes the copy of the file from the store, not from the service.
    public func evict() async throws { try await engine.evict(url) }
}
