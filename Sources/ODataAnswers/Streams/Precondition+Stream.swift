extension Precondition {
    /// Whether a stream is as the request expects: streams have ETags of their own (OData 4.01 Part 1 § 11.4.7.2).
    ///
    /// - Parameter stream: What is known of the stream; nil where there is none.
    package func isMet(by stream: StreamTable.Head?) -> Bool {
        switch self {
        case .none: true
        case .exists: stream != nil
        case .isAbsent: stream == nil
        case .noneMatch(let list): !list.weaklyContains(text: stream?.etag)
        case .match(let list): list.weaklyContains(text: stream?.etag)
        }
    }
}
