import ODataSQLite
import ODataValues
import StoreRecords
import Synchronization

/// The requests that changes of one task have queued, where somebody wants to know: others may queue theirs at the same time.
///
/// Such changes are requests of their own: none is merged into one that waits, and none takes a refused one away. One that corrects a
/// refused request becomes a part of it.
package final class MadeRequests: Sendable {
    /// Where the changes of the present task are noted; nil where nobody asks.
    @TaskLocal package static var current: MadeRequests?

    private let ids = Mutex<(own: Set<Int64>, joined: Set<Int64>)>(([], []))

    package init() {}

    /// The numbers of their own requests.
    package var own: Set<Int64> { ids.guarded { $0.own } }
    /// Those of earlier requests of which they have become a part.
    package var joined: Set<Int64> { ids.guarded { $0.joined } }

    func add(_ own: some Sequence<Int64>, joining joined: Set<Int64>) {
        ids.guarded {
            $0.own.formUnion(own)
            $0.joined.formUnion(joined)
        }
    }
}

extension RequestQueue {
    /// Runs a body in a write transaction and answers which requests it has added.
    func adding<R>(_ body: () throws -> R) throws -> (result: R, added: Range<Int64>) {
        let first = try lastID()
        let result = try body()
        return (result, first + 1..<(try lastID()) + 1)
    }
}
