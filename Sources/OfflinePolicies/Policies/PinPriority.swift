/// How early changes of a resource are sent, and how early it is refreshed.
public enum PinPriority: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Before everything else.
    case high
    /// As everything that is not pinned.
    case normal
    /// After everything else.
    case low

    private var rank: Int {
        switch self {
        case .high: 0
        case .normal: 1
        case .low: 2
        }
    }

    /// Whether a resource comes before one of another priority.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
