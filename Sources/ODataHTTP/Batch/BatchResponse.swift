/// The answer to a batch.
///
/// A body that breaks off gives all parts that came whole: each request without one has lost its answer.
public struct BatchResponse: Sendable {
    /// One position of an answer.
    public enum Item: Sendable {
        /// The answer to one request, or the one answer to a whole change set that failed.
        case response(BatchResponsePart)
        /// The answers to the requests of a change set.
        case changeSet([BatchResponsePart])
    }

    /// The answers that came whole, in order.
    public var items: [Item]
    /// Whole answers out of a change set that broke off after them.
    public var brokenChangeSet: [BatchResponsePart]
    /// Where the rest of the answers is to be had; said in JSON only (OData 4.01 JSON § 19.2).
    public var nextLink: String?
    /// Why the rest could not be read; nil where the answer came to its end.
    public var problem: BatchError?

    /// Whether the answer came to its end.
    public var isComplete: Bool { problem == nil }

    /// Creates an answer.
    public init(
        items: [Item] = [],
        brokenChangeSet: [BatchResponsePart] = [],
        nextLink: String? = nil,
        problem: BatchError? = nil
    ) {
        self.items = items
        self.brokenChangeSet = brokenChangeSet
        self.nextLink = nextLink
        self.problem = problem
    }

    /// All whole answers in order, with those of change sets.
    public var parts: [BatchResponsePart] {
        items.flatMap { item in
            switch item {
            case .response(let part): [part]
            case .changeSet(let parts): parts
            }
        } + brokenChangeSet
    }

    /// Returns the same answer with another response in each part.
    package func mapResponses(_ transform: (HTTPResponse) -> HTTPResponse) -> BatchResponse {
        func mapped(_ part: BatchResponsePart) -> BatchResponsePart {
            var part = part
            part.response = transform(part.response)
            return part
        }
        var answer = self
        answer.items = items.map { item in
            switch item {
            case .response(let part): .response(mapped(part))
            case .changeSet(let parts): .changeSet(parts.map(mapped))
            }
        }
        answer.brokenChangeSet = brokenChangeSet.map(mapped)
        return answer
    }
}

/// An answer in a batch.
public struct BatchResponsePart: Sendable {
    /// Name of the request that is answered; some services leave it out.
    public var contentID: String?
    /// Name of the change set; said in JSON only.
    public var atomicityGroup: String?
    /// The answer.
    public var response: HTTPResponse

    /// Creates a part.
    public init(contentID: String? = nil, atomicityGroup: String? = nil, response: HTTPResponse) {
        self.contentID = contentID
        self.atomicityGroup = atomicityGroup
        self.response = response
    }
}
