#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// The namespaces of a document, classified once each, found by address.
struct SAXNamespaces {
    private var known: [(address: UInt, namespace: XMLNamespace)] = []
    /// The one that was asked for last, as nearly all are that of the schema; libxml2 keeps no name at address 0.
    private var last: (address: UInt, namespace: XMLNamespace) = (0, .none)

    /// Returns what a namespace name stands for; `unbound` where there is a prefix without one.
    @unsafe mutating func classify(
        _ uri: UnsafePointer<xmlChar>?,
        prefix: UnsafePointer<xmlChar>?
    ) -> XMLNamespace {
        guard let uri = unsafe uri else { return unsafe prefix == nil ? .none : .unbound }
        let address = UInt(bitPattern: uri)
        if last.address != address { last = unsafe (address, namespace(at: address, uri)) }
        return last.namespace
    }

    @unsafe private mutating func namespace(
        at address: UInt,
        _ uri: UnsafePointer<xmlChar>
    ) -> XMLNamespace {
        for entry in known where entry.address == address { return entry.namespace }
        let namespace = XMLNamespace(unsafe String(cString: uri))
        // Hostile documents may declare thousands; the few real ones come first.
        if known.count < 16 { known.append((address, namespace)) }
        return namespace
    }
}
