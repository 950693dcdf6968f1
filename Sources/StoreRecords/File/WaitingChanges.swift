#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Synchronization

/// Counts the local changes that are being made, so that a download can make room for them.
///
/// A download keeps the processors of a small machine busy. A change needs one for a moment only, and would wait for it until the
/// time slice of a downloading thread is over, which takes much longer.
package final class WaitingChanges: Sendable {
    private let count = Atomic<Int>(0)
    private let total = Atomic<Int>(0)

    /// Begins without changes.
    package init() {}

    /// Notes that a change has begun.
    func begin() {
        count.add(1, ordering: .relaxed)
        total.add(1, ordering: .relaxed)
    }

    /// Notes that a change has ended.
    func end() { count.subtract(1, ordering: .relaxed) }

    /// How many changes have begun so far, so that long work sees whether some came meanwhile.
    package var begunCount: Int { total.load(ordering: .relaxed) }

    /// Lets the threads that make changes go first, where there are some; called now and then by long work.
    package func makeRoom() {
        if count.load(ordering: .relaxed) > 0 { sched_yield() }
    }
}
