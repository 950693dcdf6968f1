import ODataValues

import Synchronization

/// The value of `Authorization`: the application is asked for it once, however many requests wait for it.
final class SharedAuthorization: Sendable {
    private let credentials: any OfflineODataCredentials
    private let state = Mutex(State())

    private struct State {
        var value: String?
        var isKnown = false
        var asking: Asking?
    }

    /// One question to the application, and how many requests wait for its answer.
    private struct Asking {
        let number: Int
        let task: Task<String?, any Error>
        var waiting = 1
    }

    init(_ credentials: any OfflineODataCredentials) {
        self.credentials = credentials
    }

    /// Returns what to send, nil for nothing.
    ///
    /// - Throws: What the application's credentials throw; `CancellationError` where all waiting tasks were cancelled.
    func value() async throws -> String? {
        try await value(isRenewal: false) { $0.isKnown && $0.value != nil }
    }

    /// Returns what to send after a refusal; where another request has asked for a new value meanwhile, that one.
    func value(after refused: String?) async throws -> String? {
        try await value(isRenewal: true) { $0.isKnown && $0.value != refused }
    }

    private func value(
        isRenewal: Bool,
        _ isGood: (borrowing State) -> Bool
    ) async throws -> String? {
        let known: String?
        let asked: Asking?
        (known, asked) = state.guarded { state in
            if isGood(state) { return (state.value, nil) }
            if state.asking != nil {
                state.asking?.waiting += 1
            } else {
                state.asking = asking(isRenewal: isRenewal)
            }
            return (nil, state.asking)
        }
        guard let asked else { return known }
        return try await withTaskCancellationHandler {
            try await asked.task.value
        } onCancel: {
            leave(asked.number)
        }
    }

    private func asking(isRenewal: Bool) -> Asking {
        let number = Int.random(in: .min ... .max)
        return Asking(
            number: number,
            task: Task { [self] in
                do {
                    let value = try await credentials.authorization(isRenewal: isRenewal)
                    finish(number, value: value)
                    return value
                } catch {
                    forget(number)
                    throw error
                }
            }
        )
    }

    private func finish(_ number: Int, value: String?) {
        state.guarded { state in
            guard state.asking?.number == number else { return }
            state = State(value: value, isKnown: true, asking: nil)
        }
    }

    private func forget(_ number: Int) {
        state.guarded { if $0.asking?.number == number { $0.asking = nil } }
    }

    /// A request that is cancelled waits no more; the last one takes the question back.
    private func leave(_ number: Int) {
        let task = state.guarded { state -> Task<String?, any Error>? in
            guard state.asking?.number == number else { return nil }
            state.asking?.waiting -= 1
            guard state.asking?.waiting == 0 else { return nil }
            defer { state.asking = nil }
            return state.asking?.task
        }
        task?.cancel()
    }
}
