import ODataValues
import Foundation
import OfflineResources
import Synchronization

/// A clock that a test sets, and whose waits end when the test says so.
final class TestClock: PolicyClock {
    private let state: Mutex<State>

    private struct State {
        var now: Date
        var sleepers: [CheckedContinuation<Void, any Error>] = []
        var arrivals: [CheckedContinuation<Void, Never>] = []
        var waits: [Duration] = []
        var isCancelled = false
    }

    init(_ seconds: TimeInterval = 1_000_000_000) {
        state = Mutex(State(now: Date(timeIntervalSince1970: seconds)))
    }

    var now: Date { state.guarded { $0.now } }
    var waits: [Duration] { state.guarded { $0.waits } }

    func advance(_ seconds: TimeInterval) {
        state.guarded { $0.now = $0.now.addingTimeInterval(seconds) }
    }

    func sleep(for duration: Duration) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let arrivals = state.guarded { state -> [CheckedContinuation<Void, Never>]? in
                    guard !state.isCancelled else { return nil }
                    state.waits.append(duration)
                    state.sleepers.append(continuation)
                    defer { state.arrivals = [] }
                    return state.arrivals
                }
                guard let arrivals else {
                    return continuation.resume(throwing: CancellationError())
                }
                for arrival in arrivals { arrival.resume() }
            }
        } onCancel: {
            let sleepers = state.guarded { state in
                state.isCancelled = true
                defer { state.sleepers = [] }
                return state.sleepers
            }
            for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
        }
    }

    /// Waits until somebody sleeps, then ends the sleep.
    func wake() async {
        await withCheckedContinuation { continuation in
            let isThere = state.guarded { state in
                guard state.sleepers.isEmpty else { return true }
                state.arrivals.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
        let sleepers = state.guarded { state in
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.resume() }
    }
}
