/// A fault that shows only when a change set ends, with the request that caused it.
package struct DeferredFault: Error {
    /// The place of the request in its change set.
    package var request: Int
    package var cause: any Error

    package init(request: Int, cause: any Error) {
        self.request = request
        self.cause = cause
    }
}
