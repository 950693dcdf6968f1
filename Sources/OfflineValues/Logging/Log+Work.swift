extension Log {
    /// Runs work and logs its result: the event with its duration, or the error as the event with the suffix `.failed`.
    ///
    /// - Parameters:
    ///   - event: Name of the event.
    ///   - level: How much it matters that the work was done.
    ///   - about: Fields that are known before.
    ///   - fields: Fields of the result.
    package func work<R, Failure: Error>(
        _ event: String,
        about: [Field] = [],
        at level: OfflineODataLogLevel = .info,
        fields: (R) -> [Field] = { _ in [] },
        body: () async throws(Failure) -> R
    ) async throws(Failure) -> R {
        let start = ContinuousClock.now
        let result: R
        do throws(Failure) {
            result = try await body()
        } catch {
            self.error(
                event + ".failed",
                error: error,
                fields: about + [("ms", .time(.now - start))]
            )
            throw error
        }
        self(level, event, about + fields(result) + [("ms", .time(.now - start))])
        return result
    }
}
