import Foundation
import Synchronization

/// Opens and closes a file again and again on a thread of its own, and counts how often somebody else has closed it meanwhile.
public final class FileWatch: Sendable {
    private let isEnding = Atomic<Bool>(false)
    private let lost = Atomic<Int>(0)
    private let ended = DispatchSemaphore(value: 0)

    /// Creates one that does not watch yet.
    public init() {}

    /// Starts the thread.
    public func begin() {
        Thread.detachNewThread { [self] in
            while !isEnding.load(ordering: .relaxed) { openOnce() }
            ended.signal()
        }
    }

    /// Ends the thread and returns how many files were closed by others.
    public func end() -> Int {
        isEnding.store(true, ordering: .relaxed)
        ended.wait()
        return lost.load(ordering: .relaxed)
    }

    private func openOnce() {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        if close(descriptor) != 0 { lost.add(1, ordering: .relaxed) }
    }
}
