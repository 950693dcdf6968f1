extension OfflineODataError.Code {
    /// The service may have carried out a change that was sent at once: its answer was lost.
    public static let unknownOutcome: OfflineODataError.Code = "unknownOutcome"
}

extension OfflineODataError {
    /// The answer to a change that was sent at once was lost.
    ///
    /// - Parameter isQueued: Whether the change stands in the queue, so that an upload asks what has become of it.
    package static func unknownOutcome(
        of url: String,
        after error: (any Error)?,
        isQueued: Bool
    ) -> OfflineODataError {
        let finding =
            "whether the service has carried out the change of \(url) is not known: "
            + (isQueued
                ? "do not make it again, the next upload finds out"
                : "look at the service before it is made again")
        let known = error as? OfflineODataError
        return OfflineODataError(
            known?.category ?? .communication,
            known.map { "\($0.message); \(finding)" } ?? finding,
            httpStatus: known?.httpStatus,
            cause: error,
            code: .unknownOutcome
        )
    }
}
