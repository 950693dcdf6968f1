#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// The namespaces of a document, classified once each, found by address.
struct SAXNamespaces {
    private var known: [(address: UInt, namespace: XMLNamespace)] = []

    /// Returns what a namespace name stands for.
    @unsafe mutating func classify(_ uri: UnsafePointer<xmlChar>?) -> XMLNamespace {
        guard let uri = unsafe uri else { return .none }
        let address = UInt(bitPattern: uri)
        for entry in known where entry.address == address { return entry.namespace }
        let namespace = XMLNamespace(unsafe String(cString: uri))
        // Hostile documents may declare thousands; the few real ones come first.
        if known.count < 16 { known.append((address, namespace)) }
        return namespace
    }
}
