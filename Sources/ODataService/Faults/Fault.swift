/// One way in which a service fails on purpose, so that clients can be tried against it.
package struct Fault: Sendable, Equatable {
    /// What happens to the request.
    package enum Action: Sendable, Equatable {
        /// The connection is closed before anything is done.
        case dropBefore
        /// The request is carried out, its answer never sent.
        case dropAfterCommit
        /// The body of the answer ends after so many bytes.
        case truncateBody(bytes: Int)
        /// This status is answered and nothing done; with `Retry-After` in seconds where there is one.
        case status(Int, retryAfter: Int?)
        /// The request is carried out after a while.
        case delay(milliseconds: Int)
        /// So many bytes that are no HTTP are sent, and nothing is done.
        case garbage(bytes: Int)
    }

    /// Method that is met; `*` is any.
    package var method: String
    /// Beginning of the path that is met, with a slash at its start.
    package var pathPrefix: String
    /// On which of the requests that it meets it acts, 1-based.
    package var occurrence: Int
    package var action: Action

    package init(method: String, pathPrefix: String, occurrence: Int = 1, action: Action) {
        self.method = method
        self.pathPrefix = pathPrefix
        self.occurrence = occurrence
        self.action = action
    }
}
