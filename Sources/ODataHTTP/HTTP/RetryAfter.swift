/// When a service wants to be asked again (RFC 9110 § 10.2.3).
public enum RetryAfter: Sendable, Equatable {
    /// So many seconds after the answer.
    case seconds(Int)
    /// At this time.
    case date(HTTPDate)

    /// Reads the value of a `Retry-After` field; nil where it is neither.
    public init?(_ text: String) {
        let digits = text.utf8.drop { $0 == 0x20 }
        if let first = digits.first, (0x30...0x39).contains(first), let seconds = Int(text) {
            self = .seconds(seconds)
        } else if let date = HTTPDate(text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns how long to wait at this time; nothing where the date is past.
    public func delay(from now: HTTPDate) -> Duration {
        switch self {
        case .seconds(let seconds): .seconds(seconds)
        case .date(let date): .seconds(max(0, date.secondsSince1970 - now.secondsSince1970))
        }
    }
}
