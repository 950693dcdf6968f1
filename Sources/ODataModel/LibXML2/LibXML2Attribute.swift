#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// An attribute as libxml2 lists it: the value is all from its first byte to the one before its end.
@unsafe struct LibXML2Attribute {
    let localName: UnsafePointer<xmlChar>?
    let prefix: UnsafePointer<xmlChar>?
    let uri: UnsafePointer<xmlChar>?
    let start: UnsafePointer<xmlChar>?
    let end: UnsafePointer<xmlChar>?

    var value: UnsafeBufferPointer<UInt8> {
        guard let start = unsafe start, let end = unsafe end else {
            return unsafe UnsafeBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeBufferPointer(start: start, count: end - start)
    }
}
