import OfflineValues
import ODataValues

import Synchronization

/// Holds the delegate weakly and calls it one event after the other.
final class DelegateBox: Sendable {
    private let held: Held
    private let events: AsyncStream<Event>.Continuation
    private let pump: Task<Void, Never>
    /// The state that was delivered last.
    private let delivered = Mutex<OfflineODataStoreState?>(nil)

    /// The delegate that is being called: what it does itself must not wait for the end of the call.
    @TaskLocal private static var calling: ObjectIdentifier?

    /// A call to deliver, or a task that waits until all calls before it are delivered.
    private enum Event: Sendable {
        case call(@Sendable (any OfflineODataDelegate) async -> Void)
        case flush(CheckedContinuation<Void, Never>)
    }

    init(_ delegate: (any OfflineODataDelegate)?) {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        let held = Held(delegate)
        self.held = held
        events = continuation
        pump = Task {
            for await event in stream {
                switch event {
                case .call(let call):
                    guard let delegate = held.delegate else { continue }
                    await Self.$calling.withValue(ObjectIdentifier(held)) { await call(delegate) }
                case .flush(let waiting): waiting.resume()
                }
            }
        }
    }

    deinit { events.finish() }

    /// The weak reference, which the pump has too.
    private final class Held: Sendable {
        private struct Weak {
            weak var delegate: (any OfflineODataDelegate)?
        }

        private let box: Mutex<Weak>

        init(_ delegate: (any OfflineODataDelegate)?) { box = Mutex(Weak(delegate: delegate)) }

        var delegate: (any OfflineODataDelegate)? { box.guarded { $0.delegate } }
    }

    /// The delegate; nil once it was released.
    var delegate: (any OfflineODataDelegate)? { held.delegate }

    /// Whether there is no delegate.
    var isEmpty: Bool { held.delegate == nil }

    /// Queues a call of the delegate behind the calls before it.
    func notify(_ call: @escaping @Sendable (any OfflineODataDelegate) async -> Void) {
        guard !isEmpty else { return }
        events.yield(.call(call))
    }

    /// Reports the state of the store if it differs from the one reported before.
    func notify(_ state: OfflineODataStoreState, of provider: OfflineODataProvider) {
        let isNew = delivered.guarded { delivered in
            defer { delivered = state }
            return delivered != state
        }
        guard isNew else { return }
        notify { await $0.offlineODataProvider(provider, stateDidChange: state) }
    }

    /// Waits until all calls so far are delivered; inside of a call, they come when it has ended.
    func flush() async {
        guard !isEmpty, Self.calling != ObjectIdentifier(held) else { return }
        await withCheckedContinuation { events.yield(.flush($0)) }
    }

    /// Reports the progress of an operation.
    func notify(_ progress: OfflineODataProgress, of provider: OfflineODataProvider) {
        if progress.operation == .open, let state = OfflineODataStoreState(opening: progress.step) {
            notify(state, of: provider)
        }
        notify { delegate in
            switch progress.operation {
            case .open:
                await delegate.offlineODataProvider(provider, didUpdateOpenProgress: progress)
            case .download:
                await delegate.offlineODataProvider(provider, didUpdateDownloadProgress: progress)
            case .upload:
                await delegate.offlineODataProvider(provider, didUpdateUploadProgress: progress)
            case .sendStore:
                await delegate.offlineODataProvider(provider, didUpdateSendStoreProgress: progress)
            }
        }
    }
}
