/// Why a bound request cannot be answered from tables.
package struct QueryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of problem it is.
    package enum Code: Sendable {
        /// The standard allows it; we do not do it.
        case notSupported
        /// It would be larger than a limit.
        case limitExceeded
        /// What the path addresses is not there.
        case notFound
        /// The continuation is not one of ours.
        case invalidToken
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
