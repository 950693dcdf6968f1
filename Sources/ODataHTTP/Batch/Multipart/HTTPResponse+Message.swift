extension HTTPResponse {
    /// Reads an answer that is the whole content of another (`application/http`).
    ///
    /// - Throws: ``BatchError`` where it has no status line.
    package init(message bytes: [UInt8]) throws(BatchError) {
        let message = try EmbeddedMessage(
            bytes,
            in: 0..<bytes.count,
            limits: BatchLimits(),
            isLenient: true
        )
        self = try message.response()
    }
}
