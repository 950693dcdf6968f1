import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where an answer comes from, for people.
enum OriginText {
    static func sentence(_ origin: OfflineODataOrigin) -> String {
        guard origin.place == .store else { return "from the \(origin.place)" }
        guard let date = origin.date else { return "from the store" }
        let time = date.formatted(.iso8601)
        return "from the store, fetched \(time)" + (origin.isExpired ? ", expired" : "")
    }
}
