package import StoreRecords
package import ODataHTTP

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Where the answer of a read comes from, as a rule decides.
package enum ReadSource: Sendable {
    /// What the store's queries find.
    case store
    /// The members of a stored collection, in its order and as they are now.
    case collection(StoredCollection, OfflineODataOrigin)
    /// What the service has answered to this read alone; it is not kept.
    case response(HTTPResponse, at: Date)
    /// No source: the answer was never fetched and cannot be now.
    case nothing
}
