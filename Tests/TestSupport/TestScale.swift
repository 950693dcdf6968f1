import FoundationEssentials

/// How much work generated tests do: little at each build, all of it where `OFFLINE_ODATA_TEST_SCALE` is `soak`.
public enum TestScale {
    /// Whether everything is to be tried.
    public static let isSoak =
        ProcessInfo.processInfo.environment["OFFLINE_ODATA_TEST_SCALE"] == "soak"

    /// Returns one of two sizes.
    public static func size(_ usual: Int, soak: Int) -> Int { isSoak ? soak : usual }

    /// Returns items spread evenly over a list, all of them in a soak.
    public static func sample<Item>(_ items: [Item], of count: Int) -> [Item] {
        guard !isSoak, items.count > count, count > 0 else { return items }
        return (0..<count).map { items[$0 * items.count / count] }
    }
}
