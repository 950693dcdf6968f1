package import ODataHTTP

/// An answer that its fetch does not let into the store; nothing of it was written to disk.
package struct UnstoredAnswer: Error, Sendable {
    package var response: HTTPResponse
    /// Whether it is one page among others, or says only that nothing has changed.
    package var isPart: Bool

    package init(response: HTTPResponse, isPart: Bool) {
        self.response = response
        self.isPart = isPart
    }
}

/// An answer that is larger than its fetch allows; nothing of it was kept.
package struct AnswerTooLarge: Error, Sendable {
    package init() {}
}
