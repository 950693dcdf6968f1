/// What an error calls a request: its method and its URL with the query, but without credentials.
package enum RequestTitle {
    /// Characters of a URL in an error; service roots, keys and `$skiptoken` stand at its ends.
    private static let longest = 400

    package static func text(_ method: String, _ url: String) -> String {
        method + " " + shortened(OfflineODataCredentialFields.removed(from: url))
    }

    /// Cuts the middle out of a long URL: most of one that is too long is a filter.
    private static func shortened(_ url: String) -> String {
        guard url.count > longest else { return url }
        return url.prefix(longest * 5 / 8) + "…" + url.suffix(longest * 3 / 8 - 1)
    }
}
