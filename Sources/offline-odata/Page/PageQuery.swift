import CommandSupport
import ODataProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The query string of a request for the page's data.
struct PageQuery {
    private let values: [String: String]

    init(_ request: HTTPRequest) {
        let items = URLComponents(string: request.url)?.queryItems ?? []
        values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    subscript(name: String) -> String? { values[name] }

    /// The value of a number that may be left out.
    ///
    /// - Throws: ``CommandFailure`` (invalid).
    func number(_ name: String) throws(CommandFailure) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw CommandFailure(.invalid, "'\(name)' is a whole number, not '\(text)'")
        }
        return number
    }
}
