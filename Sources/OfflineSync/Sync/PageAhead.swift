import ODataClient
import ODataHTTP

/// A page requested while the one before is still being read; releasing it cancels the request.
final class PageAhead: Sendable {
    let url: String
    /// The attempts of the page.
    let budget: RetryBudget
    private let task: Task<HTTPStreamingResponse, any Error>

    init(
        _ url: String,
        budget: RetryBudget,
        get: @escaping @Sendable (RetryBudget) async throws -> HTTPStreamingResponse
    ) {
        self.url = url
        self.budget = budget
        task = Task { try await get(budget) }
    }

    deinit {
        task.cancel()
    }

    /// Waits for the head of the answer.
    func response() async throws -> HTTPStreamingResponse {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
