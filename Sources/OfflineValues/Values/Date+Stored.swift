#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Date {
    /// Reads a point in time as the store writes it: RFC 3339, UTC, with or without fractions of a second.
    package init?(stored text: String) {
        let forms = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        guard let date = forms.lazy.compactMap({ try? Date(text, strategy: $0) }).first else {
            return nil
        }
        self = date
    }
}
