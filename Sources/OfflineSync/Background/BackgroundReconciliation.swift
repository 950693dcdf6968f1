package import StoreUpload
import ODataHTTP

/// What is to be done with tasks that a session has kept over the end of a process, and with what the store has written down of them.
///
///     store: item ─┬─ answer there ───────────────> the store has it: the task goes
///                  ├─ task answered ──────────────> put the answer into the store
///                  ├─ task failed, surely unsent ─> the requests wait again
///                  ├─ task failed ────────────────> lost: asked for at the service
///                  ├─ task running ───────────────> wait for it
///                  └─ no task ────────────────────> lost: it may have ended in a process that could not write it down
///     task without item ─────────────────────────> not ours any more: it goes
package struct BackgroundReconciliation: Equatable {
    /// Answers to put into the store, by the names of the items.
    var answers: [String: HTTPResponse] = [:]
    /// Items whose tasks still run.
    var running: [String] = []
    /// Items whose requests have surely not left.
    var unsent: [String] = []
    /// Items of which nothing is known.
    package var lost: [String] = []
    /// Tasks that are of no use any more.
    var removed: [BackgroundUploadTask] = []

    package init(_ items: [UploadSpool.Item], tasks: [BackgroundUploadTask]) {
        let byName = Dictionary(grouping: tasks.filter { $0.name != nil }) { $0.name ?? "" }
        for item in items where item.form != .each { add(item, tasks: byName[item.id] ?? []) }
        let names = Set(items.map(\.id))
        removed += tasks.filter { task in !(task.name.map(names.contains) ?? false) }
    }

    /// - Parameter tasks: Those of the item's name. A second one is there where a process was ended while it started one: an answer
    ///   of either counts, and as long as one runs nothing else is done.
    private mutating func add(_ item: UploadSpool.Item, tasks: [BackgroundUploadTask]) {
        guard item.answers.isEmpty else {
            removed += tasks
            return
        }
        for task in tasks {
            guard case .answered(let response) = task.state else { continue }
            answers[item.id] = response
            removed += tasks
            return
        }
        if tasks.contains(where: { $0.state == .running }) {
            running.append(item.id)
            return
        }
        removed += tasks
        let isUnsent =
            !tasks.isEmpty
            && tasks.allSatisfy { $0.state == .failed(isCertainlyUnsent: true) }
        if isUnsent { unsent.append(item.id) } else { lost.append(item.id) }
    }
}
