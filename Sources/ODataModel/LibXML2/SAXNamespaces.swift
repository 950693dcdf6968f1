import CLibXML2

/// The namespaces of a document, classified once each, found by address.
struct SAXNamespaces {
    private var known: [(address: UInt, code: UInt8)] = []

    /// Returns the code of what a namespace name stands for.
    @unsafe mutating func classify(_ uri: UnsafePointer<xmlChar>?) -> UInt8 {
        guard let uri = unsafe uri else { return XMLNamespace.none.code }
        let address = UInt(bitPattern: uri)
        for entry in known where entry.address == address { return entry.code }
        let code = XMLNamespace(unsafe String(cString: uri)).code
        // Hostile documents may declare thousands; the few real ones come first.
        if known.count < 16 { known.append((address, code)) }
        return code
    }
}
