package import ODataBinding
package import ODataHTTP
package import ODataSQL
package import ODataTables

/// What a service that keeps its own data adds to the answers that every service gives.
package struct ServiceAdditions: Sendable {
    /// Makes what answers questions about changes, inside the read transaction of the request.
    package typealias Deltas = @Sendable (ReadAnswer) -> any DeltaAnswering
    /// Returns whether the content of a stream is unknown, given its entity and property.
    package typealias StreamKnowledge =
        @Sendable (TableQuery, RowReference, String) throws -> Bool

    /// Delta links; nil where changes are not tracked.
    package var deltas: Deltas?
    /// Distinguishes streams that were not downloaded from empty ones; nil where every stream is stored.
    package var isUnknownStream: StreamKnowledge?
    /// Recognises requests that are sent again; nil where each is carried out.
    package var repeats: (any RequestRepeating)?

    package init() {}
}

/// Gives delta links and answers them (OData 4.01 Part 1 § 11.3).
package protocol DeltaAnswering {
    /// The last change that the present state holds; nil where changes of the path are not tracked.
    func watermark(of path: EntityPath, _ options: BoundOptions) throws -> Int64?
    /// The link to the changes after one.
    func link(since watermark: Int64) -> String
    /// Answers a delta link.
    func changes(
        of path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse
}

/// Recognises requests that are sent again (OASIS Repeatable Requests 1.0).
package protocol RequestRepeating: Sendable {
    /// Returns the answers of the first sending, or carries the requests out.
    func answer(
        to requests: [HTTPRequest],
        carryOut: @Sendable () async -> [BatchResponsePart]
    ) async -> [BatchResponsePart]
}
