import ODataHTTP
import OfflineOData
import Synchronization

/// A background session whose tasks do what a test says.
final class FakeBackgroundSession: BackgroundUploadSession {
    private struct State {
        var tasks: [BackgroundUploadTask] = []
        var started: [String] = []
        var removed: [Int] = []
    }

    private let state: Mutex<State>
    /// What becomes of a task that is started, or waited for.
    private let outcome: @Sendable (HTTPRequest?) -> BackgroundUploadTask.State

    let mayRepeat: Bool

    init(
        _ tasks: [BackgroundUploadTask] = [],
        mayRepeat: Bool = false,
        outcome: @escaping @Sendable (HTTPRequest?) -> BackgroundUploadTask.State
    ) {
        state = Mutex(State(tasks: tasks))
        (self.mayRepeat, self.outcome) = (mayRepeat, outcome)
    }

    /// Requests that were started, as method and URL.
    var started: [String] { state.withLock { $0.started } }
    /// Numbers of the tasks that were removed.
    var removed: [Int] { state.withLock { $0.removed } }

    func start(_ request: HTTPRequest, bodyFile: String, name: String) async throws {
        let result = outcome(request)
        state.withLock { state in
            state.started.append("\(request.method) \(request.url)")
            let id = 100 + state.started.count
            state.tasks.append(BackgroundUploadTask(id: id, name: name, state: result))
        }
    }

    func tasks() async -> [BackgroundUploadTask] { state.withLock { $0.tasks } }

    func end(of name: String) async throws -> BackgroundUploadTask? {
        let result = outcome(nil)
        return state.withLock { state in
            guard let index = state.tasks.firstIndex(where: { $0.name == name }) else { return nil }
            if state.tasks[index].state == .running { state.tasks[index].state = result }
            return state.tasks[index]
        }
    }

    func remove(_ task: BackgroundUploadTask) async {
        state.withLock { state in
            state.removed.append(task.id)
            state.tasks.removeAll { $0.id == task.id }
        }
    }
}
