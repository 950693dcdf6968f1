/// Takes what the engine logs, for an application that has a logger of its own.
///
/// A record never holds a value of the data: no key, no property, no body, no message of the service, no credentials. URLs come as
/// ``OfflineODataLogRecord/Value/url(_:)`` shortens them.
public protocol OfflineODataLogger: Sendable {
    /// The least level that is wanted; records below it are not made.
    var level: OfflineODataLogLevel { get }

    /// Takes a record, from any thread; it should return soon.
    func log(_ record: OfflineODataLogRecord)
}

/// How much a record matters.
public enum OfflineODataLogLevel: String, Sendable, Comparable, CaseIterable {
    /// Single steps, for finding faults of the engine.
    case trace
    /// Each request to the service, each step of a download.
    case debug
    /// What operations did.
    case info
    /// An event worth attention, such as a conflict.
    case notice
    /// What went wrong and was mended, or waits for a person.
    case warning
    /// What failed.
    case error

    /// Whether a level matters less than another one.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
