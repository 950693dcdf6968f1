package import ODataModel
package import ODataTables

/// Records of stored collections that a connection has read in one state of the file: a read that repeats does not read them again.
package final class CollectionFindings: FileFindings {
    /// Records that are kept, those apart that were looked for in vain.
    static let maximumCount = 256
    /// Longer names, in bytes, cost more to keep than to look up again, in comparison.
    static let maximumLength = 4_096

    private var named: [String: (name: String, collection: StoredCollection?)] = [:]
    private var numbered: [Int64: StoredCollection] = [:]
    /// Sets of which defining queries bring every entity; nil until first determined.
    package var wholeSets: Set<NavigationSource>?

    /// The larger number of what is kept.
    var count: Int { max(named.count, numbered.count) }

    /// The findings of a reader; nil for a connection that may change the file itself.
    package static func present(_ query: borrowing TableQuery) -> CollectionFindings? {
        guard let plans = query.plans else { return nil }
        if let present = plans.findings as? CollectionFindings { return present }
        let made = CollectionFindings()
        plans.findings = made
        return made
    }

    /// Returns the collection of a name, read by the function the first time; nil where there is none.
    package func collection(_ name: String, read: () throws -> StoredCollection?) rethrows
        -> StoredCollection?
    {
        // Swift compares by canonical equivalence, OData code point by code point.
        if let known = named[name], known.name.utf8.elementsEqual(name.utf8) {
            return known.collection
        }
        let found = try read()
        guard name.utf8.count <= Self.maximumLength else { return found }
        if named.count >= Self.maximumCount { named = [:] }
        named[name] = (name, found)
        return found
    }

    /// Returns the collection of a number, read by the function the first time; nil where there is none.
    package func collection(_ slot: Int64, read: () throws -> StoredCollection?) rethrows
        -> StoredCollection?
    {
        if let known = numbered[slot] { return known }
        let found = try read()
        if numbered.count >= Self.maximumCount { numbered = [:] }
        numbered[slot] = found
        return found
    }
}
