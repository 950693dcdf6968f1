import StoreRecords
import ODataBinding
import ODataModelComparison
import ODataModel

/// Calls of actions and functions in the queue that a new model takes away or changes.
///
/// A store keeps nothing else of an operation, so only such a call stands against the upgrade.
struct QueuedCalls {
    private let calls: [(entry: QueueEntry, operation: BoundOperation?)]

    init(_ entries: [QueueEntry], in model: EdmModel) {
        calls = entries.filter { $0.flags.contains(.operation) }.map { entry in
            (entry, Self.operation(of: entry, in: model))
        }
    }

    private static func operation(of entry: QueueEntry, in model: EdmModel) -> BoundOperation? {
        guard let request = try? BoundRequest(ofService: entry.url, in: model),
            case .operation(let operation) = request.resource
        else { return nil }
        return operation
    }

    /// Whether a waiting call is of what the change is about.
    func contain(_ change: ModelChange) -> Bool {
        calls.contains { Self.touches(change, call: $0.operation, url: $0.entry.url) }
    }

    /// Whether a request is a call of what the change is about.
    func touches(_ change: ModelChange, entry: QueueEntry) -> Bool {
        calls.contains {
            $0.entry.id == entry.id && Self.touches(change, call: $0.operation, url: entry.url)
        }
    }

    private static func touches(_ change: ModelChange, call: BoundOperation?, url: String)
        -> Bool
    {
        guard change.isWarning else { return false }
        if let overload = change.operation, let called = call?.operation {
            return overload == called
        }
        let name = change.path.split(separator: "/").last.map(String.init) ?? change.path
        if let call { return call.binding == nil && call.name == name || call.name == change.path }
        // A URL that cannot be read says nothing but names.
        let path = url.prefix { $0 != "?" }
        return path == name || path.hasPrefix(name + "(") || path.contains(change.path)
    }
}
