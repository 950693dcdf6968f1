import Dispatch

/// Work that waits for the disk, on threads that may wait: Swift's cooperative ones must not.
package enum DiskWork {
    private static let queue = DispatchQueue(label: "OfflineOData disk", attributes: .concurrent)

    /// Runs a function and answers its result.
    package static func run<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
