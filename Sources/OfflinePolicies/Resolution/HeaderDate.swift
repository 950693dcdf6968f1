#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import ODataHTTP

/// Dates in headers, with any zone, as services of all kinds send them.
enum HeaderDate {
    /// Reads `Wed, 21 Oct 2026 07:28:00 GMT`; nil where it is no date.
    static func date(_ text: String) -> Date? {
        HTTPDate(text).map { Date(timeIntervalSince1970: Double($0.secondsSince1970)) }
    }
}
