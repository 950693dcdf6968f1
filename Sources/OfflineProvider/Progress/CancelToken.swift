/// Cancels the operation that it was given for.
public struct CancelToken: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Cancels the operation; calling it again, or after the end, does nothing.
    public func cancel() {
        action()
    }
}
