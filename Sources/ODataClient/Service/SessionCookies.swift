import OfflineValues
import ODataHTTP

/// The cookies of the conversation: the application's, and those that the service has set since.
///
/// The service's win, until the application replaces its own: then neither its former ones nor what the service has made of them is
/// sent any more.
package struct SessionCookies: Sendable {
    private var custom: [String: String]
    private var service: [String: String] = [:]

    package init(custom: [String: String]) {
        self.custom = custom
    }

    /// The value of `Cookie`; nil where there are none.
    var field: String? {
        let all = custom.merging(service) { $1 }
        guard !all.isEmpty else { return nil }
        return all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: "; ")
    }

    mutating func replaceCustom(_ cookies: [String: String]) {
        for name in custom.keys { service[name] = nil }
        for name in cookies.keys { service[name] = nil }
        custom = cookies
    }

    /// Takes a `Set-Cookie` field over; one that has expired removes the cookie (RFC 6265 § 5.2).
    mutating func take(_ line: String) {
        let parts = line.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
        let name = Self.trimmed(pair[..<equals])
        guard !name.isEmpty else { return }
        guard !Self.isExpired(parts.dropFirst()) else {
            custom[name] = nil
            service[name] = nil
            return
        }
        service[name] = Self.trimmed(pair[pair.index(after: equals)...])
    }

    /// `Max-Age` has precedence over `Expires`.
    private static func isExpired(_ attributes: ArraySlice<Substring>) -> Bool {
        var isExpired = false
        for attribute in attributes {
            guard let equals = attribute.firstIndex(of: "=") else { continue }
            let value = trimmed(attribute[attribute.index(after: equals)...])
            switch trimmed(attribute[..<equals]).lowercased() {
            case "max-age":
                if let seconds = Int64(value) { return seconds <= 0 }
            case "expires":
                if let date = HTTPDate(value) {
                    isExpired = date.secondsSince1970 <= HTTPDate.now.secondsSince1970
                }
            default: break
            }
        }
        return isExpired
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = text.firstIndex(where: { !isBlank($0) }),
            let end = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[start...end])
    }
}
