/// A URL without fragment, cut at its question mark.
package struct URLParts: Sendable {
    package var path: String
    /// Query options as written, separated by `&`.
    package var options: [String]

    package init(_ url: String) {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            path = url
            options = []
            return
        }
        path = String(url[..<mark])
        options = url.utf8[url.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&"))
            .map { String(Substring($0)) }
    }

    /// The URL.
    package var url: String {
        options.isEmpty ? path : path + "?" + options.joined(separator: "&")
    }

    /// Returns the URL without the options of some names, and with one more behind the others.
    package func url(without names: Set<String>, adding option: String? = nil) -> String {
        var parts = self
        if !names.isEmpty { parts.options.removeAll { names.contains(Self.name(of: $0)) } }
        if let option { parts.options.append(option) }
        return parts.url
    }

    /// The value of an option, percent-decoded; its name may stand without `$` (OData 4.01 Part 2 § 5.1).
    package func value(_ name: String) -> String? {
        options.first { Self.isNamed($0, name: name) }.map { option in
            let value = option.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            return PercentEncoding.decoded(Substring(value))
        }
    }

    /// Whether an option has a name, which is given in small letters.
    private static func isNamed(_ option: String, name: String) -> Bool {
        let written = option.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard !written.contains(UInt8(ascii: "%")) else { return self.name(of: option) == name }
        let plain = written.first == UInt8(ascii: "$") ? written.dropFirst() : written
        return plain.count == name.utf8.count
            && zip(plain, name.utf8).allSatisfy { sign, small in
                sign == small || (65...90).contains(sign) && sign + 32 == small
            }
    }

    /// The name of an option, percent-decoded, without its sign and in small letters (OData 4.01 Part 2 § 5.1).
    package static func name(of option: String) -> String {
        var name = PercentEncoding.decoded(
            Substring(option.utf8.prefix { $0 != UInt8(ascii: "=") })
        )
        if name.hasPrefix("$") { name.removeFirst() }
        return name.lowercased()
    }
}
