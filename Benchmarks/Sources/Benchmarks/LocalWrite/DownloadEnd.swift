import Synchronization

/// Tells that a download has ended.
final class DownloadEnd: Sendable {
    private let value = Atomic<Bool>(false)

    /// Whether it has.
    var isReached: Bool { value.load(ordering: .acquiring) }

    /// Says that it has.
    func set() { value.store(true, ordering: .releasing) }
}
