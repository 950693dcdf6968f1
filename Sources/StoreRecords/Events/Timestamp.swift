import ODataSQLite
import ODataValues
import ODataModel

/// Points in time as text, RFC 3339 in UTC.
package enum Timestamp {
    /// What decides how instants are written.
    private static let model = EdmModel(version: .v4)

    /// The present time with the system's precision.
    package static var now: String {
        var bytes: [UInt8] = []
        // Whole microseconds: more says nothing here.
        let ticks = Instant.now / 10 * 10
        ScalarForm.dateTimeOffset.write(.integer(ticks), in: model, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
