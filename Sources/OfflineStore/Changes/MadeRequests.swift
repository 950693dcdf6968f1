import ODataSQLite
import ODataValues
import StoreRecords
import Synchronization

/// The requests that changes of one task have queued, where somebody wants to know: others may queue theirs at the same time.
///
/// Such changes are requests of their own: none is merged into one that waits.
package final class MadeRequests: Sendable {
    /// Where the changes of the present task are noted; nil where nobody asks.
    @TaskLocal package static var current: MadeRequests?

    private let ids = Mutex<Set<Int64>>([])

    package init() {}

    /// Their numbers.
    package var all: Set<Int64> { ids.guarded { $0 } }

    func add(_ made: some Sequence<Int64>) { ids.guarded { $0.formUnion(made) } }
}

extension RequestQueue {
    /// Runs a body in a write transaction and answers which requests it has added.
    func adding<R>(_ body: () throws -> R) throws -> (result: R, added: Range<Int64>) {
        let first = try lastID()
        let result = try body()
        return (result, first + 1..<(try lastID()) + 1)
    }
}
