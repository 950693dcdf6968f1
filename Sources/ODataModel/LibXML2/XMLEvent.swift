/// Something that an XML document says, in document order.
package enum XMLEvent: Sendable {
    /// An element begins.
    case start(XMLStartTag)
    /// Characters, references resolved; one text may come in several pieces.
    case text([UInt8])
    /// The innermost open element ends.
    case end(line: Int)
}
