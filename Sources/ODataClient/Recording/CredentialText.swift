import ODataText

/// Takes credentials out of a text that may hold URLs: a body, or the value of a header field.
///
/// Query options with the names of credentials get empty values, URLs lose names and passwords, and values that are known to be
/// credentials go wherever they stand as a word.
struct CredentialText {
    private let text: [UInt8]
    private let secrets: [[UInt8]]
    private var position = 0
    private var output: [UInt8] = []

    /// Shorter values are words of any text.
    private static let shortestSecret = 6
    private static let longestName = 32
    private static let longestUser = 256
    private static let scheme = Array("://".utf8)
    /// What stands between the options of a URL, as it is and as JSON and XML write it.
    private static let separators = ["?", "&amp;", "&", "\\u0026", "\\u003f", "\\u003F"].map {
        Array($0.utf8)
    }

    private init(_ text: [UInt8], secrets: [[UInt8]]) {
        (self.text, self.secrets) = (text, secrets)
        output.reserveCapacity(text.count)
    }

    /// Returns the text without credentials.
    ///
    /// - Parameter secrets: Values of the request's query options that were left out of its URL.
    static func removed(from text: [UInt8], secrets: [String] = []) -> [UInt8] {
        let values = secrets.flatMap { [$0, PercentEncoding.decoded($0[...])] }
            .map { Array($0.utf8) }.filter { $0.count >= shortestSecret }
        var scan = CredentialText(text, secrets: values)
        return scan.run()
    }

    static func removed(from text: String, secrets: [String] = []) -> String {
        String(decoding: removed(from: Array(text.utf8), secrets: secrets), as: UTF8.self)
    }

    private mutating func run() -> [UInt8] {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: ":") where take(Self.scheme): skipUser()
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "\\"):
                if Self.separators.contains(where: { take($0) }) { skipValue() } else { pass() }
            default: if !skipSecret() { pass() }
            }
        }
        return output
    }

    private mutating func pass() {
        output.append(text[position])
        position += 1
    }

    private mutating func take(_ expected: [UInt8]) -> Bool {
        guard text[position...].starts(with: expected) else { return false }
        output += expected
        position += expected.count
        return true
    }

    /// Passes over the name and the password in front of a host.
    private mutating func skipUser() {
        let authority = text[position...].prefix(Self.longestUser).prefix {
            Self.isValue($0) && $0 != UInt8(ascii: "/")
        }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
        position = at + 1
    }

    /// Passes over the value of an option that is a credential by its name.
    private mutating func skipValue() {
        let name = text[position...].prefix(Self.longestName).prefix { Self.isName($0) }
        guard name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: "="),
            OfflineODataCredentialFields.isCredential(
                queryOption: String(decoding: name, as: UTF8.self)
            )
        else { return }
        output += text[position...name.endIndex]
        position = text[(name.endIndex + 1)...].firstIndex { !Self.isValue($0) } ?? text.count
    }

    private mutating func skipSecret() -> Bool {
        guard !secrets.isEmpty, position == 0 || !Self.isWord(text[position - 1]) else {
            return false
        }
        for secret in secrets where text[position...].starts(with: secret) {
            let end = position + secret.count
            guard end == text.count || !Self.isWord(text[end]) else { continue }
            position = end
            return true
        }
        return false
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte)
    }

    private static func isName(_ byte: UInt8) -> Bool { isWord(byte) || "-_.".utf8.contains(byte) }

    /// The characters of a value in a URL, but for `&` (RFC 3986 § 3.4).
    private static func isValue(_ byte: UInt8) -> Bool {
        isWord(byte) || "-._~%!$*+:@/=".utf8.contains(byte)
    }
}
