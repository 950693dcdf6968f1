/// Ids in a payload that name no entity of this service, or one that it should have sent.
package struct StrayIDs {
    /// Ids of removals.
    package var removals: [String] = []
    /// Ids of links.
    package var links: [String] = []

    package init(removals: [String] = [], links: [String] = []) {
        self.removals = removals
        self.links = links
    }

    /// Warnings about them.
    package var remarks: [String] {
        [
            Self.remark(
                removals,
                one:
                    "a removal names no entity of this service, so that nothing was removed for it",
                several:
                    "removals name no entity of this service, so that nothing was removed for them"
            ),
            Self.remark(
                links,
                one: "a link names no entity of this service, so that it was left out",
                several: "links name no entity of this service, so that they were left out"
            ),
        ].compactMap { $0 }
    }

    /// What is said of links to entities that did not come.
    package static func missing(_ ids: [String]) -> String? {
        remark(
            ids,
            one:
                "an entity that others lead to now did not come, so that the query is read in full next time",
            several:
                "entities that others lead to now did not come, so that the query is read in full next time"
        )
    }

    /// How many ids a remark names.
    private static let namedCount = 3

    private static func remark(_ ids: [String], one: String, several: String) -> String? {
        guard !ids.isEmpty else { return nil }
        let named = ids.prefix(namedCount).map { "\"\($0)\"" }.joined(separator: ", ")
        let rest = ids.count > namedCount ? " and \(ids.count - namedCount) more" : ""
        return (ids.count == 1 ? one : "\(ids.count) \(several)") + ": " + named + rest
    }
}
