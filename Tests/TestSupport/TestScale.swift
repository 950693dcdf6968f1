#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How much work generated tests do: little at each build, all of it where `OFFLINE_ODATA_TEST_SCALE` is `soak`.
public enum TestScale {
    /// Whether everything is to be tried.
    public static let isSoak =
        ProcessInfo.processInfo.environment["OFFLINE_ODATA_TEST_SCALE"] == "soak"

    /// Returns one of two sizes.
    public static func size(_ usual: Int, soak: Int) -> Int { isSoak ? soak : usual }

    /// Returns the seeds of generated lives: those that `OFFLINE_ODATA_TEST_SEEDS` names (`664-664`, `0-499`), else so many from 0 on.
    ///
    /// So a long run can be cut into pieces, and a life that failed be lived again.
    public static func seeds(_ usual: Int, soak: Int) -> Range<Int> {
        let named = ProcessInfo.processInfo.environment["OFFLINE_ODATA_TEST_SEEDS"] ?? ""
        let ends = named.split(separator: "-").compactMap { Int($0) }
        if let first = ends.first, let last = ends.last, first <= last { return first..<(last + 1) }
        return 0..<size(usual, soak: soak)
    }

    /// Returns items spread evenly over a list, all of them in a soak.
    public static func sample<Item>(_ items: [Item], of count: Int) -> [Item] {
        guard !isSoak, items.count > count, count > 0 else { return items }
        return (0..<count).map { items[$0 * items.count / count] }
    }
}
