/// A batch on its way to a service (OData 4.01 Part 1 § 11.7, V2/V3 § Batch Processing).
public struct BatchRequest: Sendable {
    /// One position of a batch.
    public enum Item: Sendable {
        /// A request of its own.
        case request(BatchPart)
        /// Requests that succeed or fail together.
        case changeSet([BatchPart])
    }

    /// What is asked, in order.
    public var items: [Item]

    /// Creates a batch.
    public init(items: [Item] = []) {
        self.items = items
    }

    /// All requests in order, with those of change sets.
    public var parts: [BatchPart] {
        items.flatMap { item in
            switch item {
            case .request(let part): [part]
            case .changeSet(let parts): parts
            }
        }
    }
}

/// A request in a batch.
public struct BatchPart: Sendable {
    /// Name of the request in its batch: `Content-ID`, in JSON `id`.
    public var contentID: String?
    /// Names of requests and atomicity groups that must succeed before; said in JSON only.
    public var dependsOn: [String]
    /// Name of the change set; said in JSON only.
    public var atomicityGroup: String?
    /// Condition on earlier answers without which the request is not carried out; said in JSON only
    /// (OData 4.01 JSON § 19.1.3).
    public var condition: String?
    /// The request; its URL may be relative to the service root or begin with `$` and a Content-ID.
    public var request: HTTPRequest

    /// Creates a part.
    public init(
        contentID: String? = nil,
        dependsOn: [String] = [],
        atomicityGroup: String? = nil,
        condition: String? = nil,
        request: HTTPRequest
    ) {
        self.contentID = contentID
        self.dependsOn = dependsOn
        self.atomicityGroup = atomicityGroup
        self.condition = condition
        self.request = request
    }
}
