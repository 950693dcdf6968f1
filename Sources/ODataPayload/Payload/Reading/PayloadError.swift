/// Why a payload could not be read.
public struct PayloadError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Sendable, Hashable {
        /// No JSON, or not UTF-8.
        case malformed
        /// The payload ends too early.
        case truncated
        /// Bytes follow the end of the payload.
        case trailingBytes
        /// A declared property has a value of another type, or out of its range.
        case wrongType
        /// JSON that is no payload of OData.
        case unexpectedContent
        /// An object has two members of one name.
        case duplicateMember
        /// Larger or deeper than the limits allow.
        case limitExceeded
        /// The service reports an error in place of the rest of the payload.
        case inStreamError
    }

    /// What is wrong.
    public var code: Code
    /// What was expected or found, for people; no values of the payload.
    public var message: String
    /// Offset in the payload, from 0.
    public var byteOffset: Int
    /// Line, from 1.
    public var line: Int
    /// Byte in the line, from 1.
    public var column: Int
    /// Names and positions that lead to the place, such as `value[17]/Address/City`.
    public var path: String
    /// The service's own report, for `inStreamError`.
    public var service: ODataErrorBody?
    /// Whether the value breaks a declaration of the model, as values of services do at times.
    package var isOfDeclaration = false

    /// One line with all there is to say.
    public var description: String {
        let place = path.isEmpty ? "" : " in \(path)"
        return "\(message)\(place) (line \(line), column \(column), byte \(byteOffset))"
    }
}

/// A fault at a place of the window, before its place in the payload is known.
package struct PayloadFault: Error {
    package var code: PayloadError.Code
    package var index: Int
    package var message: String
    var service: ODataErrorBody?
    var isOfDeclaration = false

    package init(_ code: PayloadError.Code, at index: Int, _ message: String) {
        self.code = code
        self.index = index
        self.message = message
    }
}
