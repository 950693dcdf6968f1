import ODataText
public import ODataHTTP

/// Finds credentials, which nothing that is written for people may hold.
public enum OfflineODataCredentialFields {
    private static let headers: Set<String> = [
        "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate",
        "set-cookie2", "x-functions-key", "mysapsso2", "dpop",
    ]

    private static let options: Set<String> = [
        "code", "key", "sas", "sig", "sessionid", "session_id", "session-id",
    ]

    /// Words of which each makes a name that of a credential.
    private static let words: Set<String> = [
        "assertion", "auth", "cert", "cookie", "cookie2", "hmac", "jwt", "otp", "pass", "passcode",
        "passwd", "pin", "pwd", "saml", "sid", "signature", "ticket",
    ]

    /// Parts of the names of fields that applications make up for keys and tokens.
    private static let parts = [
        "token", "secret", "password", "credential", "session", "apikey", "appkey", "accesskey",
        "authkey", "authentication", "subscriptionkey",
    ]

    private static func hasWord(_ name: String) -> Bool {
        name.split { !$0.isLetter && !$0.isNumber }.contains { words.contains(String($0)) }
    }

    private static func squeezed(_ name: String) -> String {
        name.filter { $0.isLetter || $0.isNumber }
    }

    /// Whether a header field is a credential, or may be one by its name.
    public static func isCredential(header name: String) -> Bool {
        let name = name.lowercased()
        let squeezed = squeezed(name)
        return headers.contains(name) || hasWord(name)
            || parts.contains { squeezed.contains($0) }
    }

    /// Options of OData whose values are places in a result, with and without their dollar sign.
    private static let places = ["skiptoken", "deltatoken"]

    /// Whether a query option may be a credential by its name.
    public static func isCredential(queryOption name: String) -> Bool {
        let name = name.lowercased()
        guard !name.hasPrefix("$"), !name.hasPrefix("%24"), !places.contains(name) else {
            return false
        }
        let squeezed = squeezed(name)
        return options.contains(name) || hasWord(name)
            || parts.contains { squeezed.hasSuffix($0) }
    }

    /// Returns the fields without credentials.
    public static func removed(from headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(headers.fields.filter { !isCredential(header: $0.name) })
    }

    /// Returns the URL without name and password, and without the values of query options that are credentials.
    public static func removed(from url: String) -> String {
        var parts = URLParts(withoutUser(url))
        parts.options = parts.options.map { option in
            let name = String(option.prefix { $0 != "=" })
            return isCredential(queryOption: name) ? name + "=" : option
        }
        return parts.url
    }

    private static func withoutUser(_ url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        let authority = url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<start]) + url[url.index(after: at)...]
    }
}
