/// Holds the names of a JSON batch against the rules (OData 4.01 JSON § 19.1).
///
/// Names of requests and groups are unique, a group stands together, and a request depends on earlier ones only.
struct JSONBatchOrder {
    /// Requests and groups that are complete.
    private var done: Set<String> = []
    /// Requests of the group that is going on.
    private var members: Set<String> = []
    private var group: String?

    /// Takes the next request; answers whether it goes on with the group before.
    mutating func add(_ part: BatchPart, at offset: Int) throws(BatchError) -> Bool {
        let joinsGroup = part.atomicityGroup != nil && part.atomicityGroup == group
        if !joinsGroup { endGroup() }
        let name = part.contentID ?? ""
        guard !done.contains(name), !members.contains(name), name != part.atomicityGroup else {
            throw BatchError(.malformed, "two requests have one id", offset: offset)
        }
        if let next = part.atomicityGroup, !joinsGroup {
            guard !done.contains(next) else {
                throw BatchError(.malformed, "an atomicity group is torn apart", offset: offset)
            }
            group = next
        }
        guard part.dependsOn.allSatisfy({ done.contains($0) || members.contains($0) }) else {
            throw BatchError(
                .malformed,
                "a request depends on one that does not stand before it",
                offset: offset
            )
        }
        if group == nil { done.insert(name) } else { members.insert(name) }
        return joinsGroup
    }

    private mutating func endGroup() {
        if let group { done.insert(group) }
        done.formUnion(members)
        members = []
        group = nil
    }
}
