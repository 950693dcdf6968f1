#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where an answer comes from, and how old it is.
public struct OfflineODataOrigin: Sendable, Hashable {
    /// A place that answers.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String { case store, service, nowhere }

        private let value: Value

        /// What the store holds.
        public static let store = Place(value: .store)
        /// What the service has just answered.
        public static let service = Place(value: .service)
        /// Neither of them has it.
        public static let nowhere = Place(value: .nowhere)

        /// The name of the place.
        public var description: String { value.rawValue }
    }

    /// Where the answer comes from.
    public var place: Place
    /// When the service last said so; nil where nothing is known of it, such as for entities that were only created here.
    public var date: Date?
    /// Whether the answer is out of date by the policy that it was stored with.
    public var isExpired: Bool

    /// Creates an origin.
    public init(place: Place, date: Date? = nil, isExpired: Bool = false) {
        self.place = place
        self.date = date
        self.isExpired = isExpired
    }

    /// The time since the service last said so; nil where that is not known.
    public func age(at now: Date = Date()) -> Duration? {
        date.map { .seconds(max(0, now.timeIntervalSince($0))) }
    }
}
