import ODataValues
import ODataSQLite
import ODataModel
import ODataHTTP

/// Turns the store's time stamps into dates of header fields.
enum HTTPDateText {
    /// Returns an RFC 3339 time as an HTTP date (RFC 9110 § 5.6.7).
    static func of(timestamp: String) -> String {
        let parsed = ScalarForm.dateTimeOffset.parse(
            Array(timestamp.utf8).span,
            in: EdmModel(version: .v4)
        )
        guard case .integer(let ticks)? = parsed?.scalar else { return "" }
        return HTTPDate(secondsSince1970: (ticks - Instant.unixEpoch) / 10_000_000).description
    }
}
