/// Why an XML document is refused, with the place.
package struct XMLFault: Error, Sendable {
    package enum Code: Sendable {
        /// Not well-formed.
        case malformed
        /// The document ends too early.
        case truncated
        /// A DOCTYPE, which could bring entities.
        case documentType
        /// Deeper, or with more attributes, than the limits allow.
        case limitExceeded
    }

    package var code: Code
    package var message: String
    /// From 1.
    package var line: Int
    /// From 1.
    package var column: Int
    /// How far the document has been read, from 0.
    package var byteOffset: Int
}
