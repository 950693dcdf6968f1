import ODataValues
import StoreUpload
import StoreRecords
import Synchronization

/// An ETag with which a refused request is sent again: the service has what the request was made on.
struct RenewedETag: Sendable {
    /// Nil where the service states none.
    var etag: String?
}

/// Counts how often requests were sent again with another ETag in one upload.
///
/// A service whose ETags change at each read would go on for ever.
final class ETagRenewals: Sendable {
    /// A stream may take two: the media ETag and, where the service wants that, the entity's.
    static let maximum = 3

    private let counts = Mutex<[Int64: Int]>([:])
    private let called = Mutex<Set<String>>([])

    /// How often requests were allowed to be sent once more, all of them together.
    var total: Int {
        counts.guarded { $0.values.reduce(0) { $0 + min($1, Self.maximum) } }
    }

    /// Requests that were refused for their ETags alone.
    var requests: Set<Int64> { counts.guarded { Set($0.keys) } }

    /// Notes that an operation was carried out on an entity: it may have changed the entity, and its ETag.
    func noteCall(_ request: OutgoingRequest) {
        guard request.entry.flags.contains(.operation),
            let link = CalledEntity.link(in: request.entry.url)
        else { return }
        called.guarded { _ = $0.insert(link) }
    }

    /// Whether an operation was carried out on the entity that another one is called on.
    func hasCalled(entityOf request: OutgoingRequest) -> Bool {
        guard let link = CalledEntity.link(in: request.entry.url) else { return false }
        return called.guarded { $0.contains(link) }
    }

    /// Whether a request may be sent once more; counts it.
    func take(_ request: Int64) -> Bool {
        counts.guarded { counts in
            let count = counts[request, default: 0]
            counts[request] = count + 1
            return count < Self.maximum
        }
    }
}
