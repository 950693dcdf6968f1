import ODataValues
import ODataAnswers
import ODataService
import ODataTables
import Synchronization

/// Which changes a service refuses.
final class Refusals: TransactionWatcher {
    /// A change as the service sees it.
    struct Change {
        var method: String
        var body: EntityBody?

        /// Whether a text stands among the values.
        func holds(_ text: String) -> Bool {
            body?.values.contains { $0.value == .text(text) } ?? false
        }
    }

    private let rule = Mutex<(@Sendable (Change) -> Bool)?>(nil)

    /// Decides which changes are refused; nil lets all pass.
    func refuse(_ decide: (@Sendable (Change) -> Bool)?) {
        rule.guarded { $0 = decide }
    }

    /// A store that refuses them.
    func store(_ tables: TableEntityStore) -> WatchedStore<Refusals> {
        WatchedStore(tables) { self }
    }

    func willMake(_ change: WatchedChange) throws {
        let rule = rule.guarded { $0 }
        if rule?(Change(change)) ?? false { throw EditError(.invalid, "refused by the test") }
    }
}

extension Refusals.Change {
    fileprivate init(_ change: WatchedChange) {
        switch change {
        case .create(let body): self.init(method: "POST", body: body)
        case .update(_, let body): self.init(method: "PATCH", body: body)
        case .createMedia: self.init(method: "POST")
        case .setStream: self.init(method: "PUT")
        case .delete, .removeStream: self.init(method: "DELETE")
        case .addLink: self.init(method: "LINK")
        case .removeLink: self.init(method: "UNLINK")
        }
    }
}
