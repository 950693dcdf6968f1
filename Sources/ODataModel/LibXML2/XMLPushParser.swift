#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// Reads XML while its bytes arrive, by libxml2's push parser: each piece yields the events that it completes.
///
/// No network, no DOCTYPE, no entities but the predefined ones. Not Sendable: one caller after the other feeds it.
@safe
package final class XMLPushParser {
    /// More attributes than an element of any payload has.
    private static let maximumAttributeCount = 250
    /// Bytes given to libxml2 at once: what it reads from them is held as events.
    private static let pieceSize = 64 << 10

    private let context: xmlParserCtxtPtr
    private let maximumDepth: Int
    private var events: [XMLEvent] = []
    private var depth = 0
    private var fault: XMLFault?
    private var isEmpty = true
    /// Texts by the address at which libxml2's dictionary keeps them.
    private var names: [UInt: String] = [:]

    /// Creates a parser of one document.
    ///
    /// - Parameter maximumDepth: How deep elements may be nested.
    package init?(maximumDepth: Int) {
        xmlInitParser()
        guard let context = unsafe xmlCreatePushParserCtxt(nil, nil, nil, 0, nil) else {
            return nil
        }
        unsafe self.context = unsafe context
        self.maximumDepth = maximumDepth
        unsafe install()
    }

    deinit {
        unsafe xmlFreeParserCtxt(context)
    }

    /// Parses a piece of the document and returns the events that it completes.
    ///
    /// - Throws: ``XMLFault``; the events before it are lost, and so is the document.
    package func feed(_ bytes: Span<UInt8>) throws(XMLFault) -> [XMLEvent] {
        var start = 0
        if bytes.count > 0 { isEmpty = false }
        while start < bytes.count, fault == nil {
            let end = min(bytes.count, start + Self.pieceSize)
            unsafe bytes.extracting(start..<end).withUnsafeBytes { piece in
                let text = unsafe piece.baseAddress?.assumingMemoryBound(to: CChar.self)
                unsafe xmlParseChunk(context, text, Int32(piece.count), 0)
            }
            start = end
        }
        return try takeEvents()
    }

    /// Ends the document and returns what was still to come.
    ///
    /// - Throws: ``XMLFault`` where it is not complete.
    package func finish() throws(XMLFault) -> [XMLEvent] {
        if fault == nil {
            unsafe xmlParseChunk(context, nil, 0, 1)
            // Whatever libxml2 misses at the end is missing because the document was cut.
            let isWellFormed = unsafe context.pointee.wellFormed != 0
            if fault != nil || !isWellFormed {
                let place = fault
                fault = nil
                fail(
                    .truncated,
                    isEmpty ? "the document is empty" : "the document ends too early",
                    line: place?.line
                )
            }
        }
        return try takeEvents()
    }

    private func takeEvents() throws(XMLFault) -> [XMLEvent] {
        if let fault { throw fault }
        defer { events = [] }
        return events
    }

    @unsafe private func install() {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.internalSubset = documentTypeFound
        unsafe handler.startElementNs = elementStarted
        unsafe handler.endElementNs = elementEnded
        unsafe handler.characters = textFound
        // Where both are the same, libxml2 does not ask itself which white space counts.
        unsafe handler.ignorableWhitespace = textFound
        unsafe handler.cdataBlock = textFound
        unsafe handler.serror = errorFound
        unsafe context.pointee.sax.pointee = unsafe handler
        // The context never outlives this object, which frees it.
        unsafe context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue
        unsafe xmlCtxtUseOptions(context, Int32(options))
        unsafe context.pointee.linenumbers = 1
    }
}

// MARK: - What the callbacks do

extension XMLPushParser {
    private var line: Int { unsafe context.pointee.input.map { Int(unsafe $0.pointee.line) } ?? 0 }

    private var column: Int { unsafe context.pointee.input.map { Int(unsafe $0.pointee.col) } ?? 0 }

    private var byteOffset: Int { max(0, Int(unsafe xmlByteConsumed(context))) }

    fileprivate func fail(_ code: XMLFault.Code, _ message: String, line: Int? = nil) {
        guard fault == nil else { return }
        fault = XMLFault(
            code: code,
            message: message,
            line: line ?? self.line,
            column: column,
            byteOffset: byteOffset
        )
        unsafe xmlStopParser(context)
    }

    @unsafe fileprivate func start(
        _ localName: UnsafePointer<xmlChar>,
        prefix: UnsafePointer<xmlChar>?,
        uri: UnsafePointer<xmlChar>?,
        list: UnsafeBufferPointer<LibXML2Attribute>
    ) {
        depth += 1
        guard depth <= maximumDepth else {
            return fail(.limitExceeded, "elements are nested deeper than \(maximumDepth)")
        }
        guard list.count <= Self.maximumAttributeCount else {
            return fail(
                .limitExceeded,
                "an element has more than \(Self.maximumAttributeCount) attributes"
            )
        }
        if let prefix = unsafe prefix, unsafe uri == nil {
            let name = unsafe "\(name(at: prefix)):\(name(at: localName))"
            return fail(.malformed, "the prefix of the element \(name) is bound to no namespace")
        }
        var attributes: [XMLStartTag.Attribute] = []
        for index in 0..<list.count {
            if let attribute = unsafe attribute(list[index]) { attributes.append(attribute) }
        }
        events.append(
            .start(
                XMLStartTag(
                    namespace: unsafe name(at: uri),
                    name: unsafe name(at: localName),
                    attributes: attributes,
                    line: line,
                    byteOffset: byteOffset
                )
            )
        )
    }

    /// Returns an attribute; nil for one whose prefix is bound to nothing.
    @unsafe private func attribute(_ attribute: LibXML2Attribute) -> XMLStartTag.Attribute? {
        if unsafe attribute.prefix != nil, unsafe attribute.uri == nil { return nil }
        let value = unsafe String(decoding: attribute.value, as: UTF8.self)
        return XMLStartTag.Attribute(
            namespace: unsafe name(at: attribute.uri),
            name: unsafe name(at: attribute.localName),
            value: value
        )
    }

    fileprivate func end() {
        depth -= 1
        events.append(.end(line: line))
    }

    @unsafe fileprivate func add(_ text: UnsafeBufferPointer<UInt8>) {
        events.append(.text(unsafe Array(text)))
    }

    @unsafe fileprivate func report(_ error: xmlErrorPtr) {
        // Unbound prefixes of elements are refused with the element's name.
        guard unsafe error.pointee.level == XML_ERR_FATAL else { return }
        let text = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
        let message = text.split(separator: "\n").joined(separator: " ")
        fail(.malformed, "not well-formed XML: \(message)", line: Int(unsafe error.pointee.line))
    }

    /// Returns the text at an address of libxml2's dictionary, which keeps each text once as long as the parser lives.
    @unsafe private func name(at address: UnsafePointer<xmlChar>?) -> String {
        guard let address = unsafe address else { return "" }
        let number = UInt(bitPattern: address)
        if let known = names[number] { return known }
        let name = unsafe String(cString: address)
        // A hostile document with names without end must not fill the memory twice.
        if names.count < 4_096 { names[number] = name }
        return name
    }
}

// MARK: - Callbacks

/// Returns the parser behind the user data; it is the one that `install` has set.
@unsafe private func parserBehind(_ userData: UnsafeMutableRawPointer?) -> XMLPushParser? {
    unsafe userData.map { unsafe Unmanaged<XMLPushParser>.fromOpaque($0).takeUnretainedValue() }
}

@unsafe private func elementStarted(
    _ userData: UnsafeMutableRawPointer?,
    _ localName: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?,
    _ namespaceCount: Int32,
    _ namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ attributeCount: Int32,
    _ defaultedCount: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let localName = unsafe localName else { return }
    let list = unsafe attributes.map {
        unsafe UnsafeRawPointer($0).assumingMemoryBound(to: LibXML2Attribute.self)
    }
    unsafe parserBehind(userData)?.start(
        localName,
        prefix: prefix,
        uri: uri,
        list: UnsafeBufferPointer(start: list, count: list == nil ? 0 : Int(attributeCount))
    )
}

@unsafe private func elementEnded(
    _ userData: UnsafeMutableRawPointer?,
    _ localName: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
) {
    unsafe parserBehind(userData)?.end()
}

@unsafe private func textFound(
    _ userData: UnsafeMutableRawPointer?,
    _ text: UnsafePointer<xmlChar>?,
    _ count: Int32
) {
    unsafe parserBehind(userData)?.add(UnsafeBufferPointer(start: text, count: Int(count)))
}

@unsafe private func documentTypeFound(
    _ userData: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ externalID: UnsafePointer<xmlChar>?,
    _ systemID: UnsafePointer<xmlChar>?
) {
    unsafe parserBehind(userData)?
        .fail(.documentType, "a DOCTYPE is not allowed: it could bring entities")
}

@unsafe private func errorFound(
    _ userData: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<xmlError>?
) {
    guard let error = unsafe error else { return }
    unsafe parserBehind(userData)?.report(error)
}
