import ODataText

/// A relative URL cut at its question mark.
package struct URLParts: Sendable {
    var path: String
    /// Query options as written, separated by `&`.
    var options: [String]

    init(_ url: String) {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            path = url
            options = []
            return
        }
        path = String(url[..<mark])
        options = url.utf8[url.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&"))
            .map { String(Substring($0)) }
    }

    /// Returns the URL with the options of one name replaced, and others left out.
    package func url(without names: Set<String>, adding option: String? = nil) -> String {
        var kept = names.isEmpty ? options : options.filter { !names.contains(Self.name(of: $0)) }
        if let option { kept.append(option) }
        return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
    }

    /// The value of an option, percent-decoded; its name may stand without `$` (OData 4.01 Part 2 § 5.1).
    func value(_ name: String) -> String? {
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

    private static func name(of option: String) -> String {
        var name = PercentEncoding.decoded(
            Substring(option.utf8.prefix { $0 != UInt8(ascii: "=") })
        )
        if name.hasPrefix("$") { name.removeFirst() }
        return name.lowercased()
    }
}
