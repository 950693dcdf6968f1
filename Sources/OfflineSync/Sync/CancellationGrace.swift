/// Delays cancellation by a grace period, so that the response to a request already sent is still received.
package enum CancellationGrace {
    /// Runs the work; when the caller is cancelled it goes on for the grace period and is cancelled then.
    package static func run<R: Sendable>(
        grace: Duration,
        _ work: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let running = Task { try await work() }
        return try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task {
                try? await Task.sleep(for: grace)
                running.cancel()
            }
        }
    }
}
