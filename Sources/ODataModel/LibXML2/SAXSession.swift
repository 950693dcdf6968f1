import CLibXML2

/// One pass of libxml2 over the bytes of a document; what it tells is written down in chunks.
///
/// The session stands still in memory while libxml2 runs: its address is the callbacks' user data. Everything here is
/// called by libxml2 on the thread that called `parse`, one callback after the other.
@safe
struct SAXSession {
    /// More attributes than any element of CSDL has, SAP's included.
    static let maximumAttributeCount = 250

    private let maximumDepth: Int
    private let context: xmlParserCtxtPtr
    /// Takes a chunk that is full and gives an empty one, nil where nobody wants more.
    private let deliver: (EventChunk) -> EventChunk?
    private var chunk: EventChunk
    private var elements = SAXNames(spellings: ElementName.spellings)
    private var attributes = SAXNames(spellings: AttributeName.spellings)
    private var namespaces = SAXNamespaces()
    private var depth = 0
    /// Depth of the element whose text is wanted, 0 outside of one.
    private var textDepth = 0
    private var isStopped = false
    /// The last chunk belongs to the one who wants no more.
    private var isUnwanted = false

    private init(
        _ context: xmlParserCtxtPtr,
        _ chunk: EventChunk,
        maximumDepth: Int,
        deliver: @escaping (EventChunk) -> EventChunk?
    ) {
        unsafe self.context = unsafe context
        self.chunk = chunk
        self.maximumDepth = maximumDepth
        self.deliver = deliver
    }

    /// Parses to the end, or until nobody wants more, and returns the last chunk, which is not full.
    @unsafe static func parse(
        _ context: xmlParserCtxtPtr,
        into chunk: EventChunk,
        maximumDepth: Int,
        deliver: (EventChunk) -> EventChunk?
    ) -> EventChunk? {
        withoutActuallyEscaping(deliver) { deliver in
            var session = unsafe SAXSession(
                context,
                chunk,
                maximumDepth: maximumDepth,
                deliver: deliver
            )
            unsafe withUnsafeMutablePointer(to: &session) { session in
                unsafe install(session, in: context)
                unsafe xmlParseDocument(context)
                unsafe session.pointee.finish(isWellFormed: context.pointee.wellFormed != 0)
            }
            return session.isUnwanted ? nil : session.chunk
        }
    }

    @unsafe private static func install(
        _ session: UnsafeMutablePointer<SAXSession>,
        in context: xmlParserCtxtPtr
    ) {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.internalSubset = documentTypeFound
        unsafe handler.startElementNs = elementStarted
        unsafe handler.endElementNs = elementEnded
        // `characters` is set only where text is wanted: nearly all of it is the white space between elements.
        unsafe handler.cdataBlock = textFound
        unsafe handler.serror = { userData, error in
            guard let error = unsafe error else { return }
            // Unbound prefixes are told by the reader, with what becomes of them.
            if unsafe error.pointee.code == Int32(XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue) {
                return
            }
            let text = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
            unsafe sessionBehind(userData)?.pointee.report(
                text.split(separator: "\n").joined(separator: " "),
                isFatal: error.pointee.level == XML_ERR_FATAL,
                line: Int(error.pointee.line),
                column: Int(error.pointee.int2)
            )
        }
        unsafe context.pointee.sax.pointee = unsafe handler
        unsafe context.pointee.userData = UnsafeMutableRawPointer(session)
        // NOENT: without it `&amp;` in an attribute arrives as `&#38;`. No entity can be declared: a DOCTYPE is refused.
        let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue
        unsafe xmlCtxtUseOptions(context, Int32(options))
        unsafe context.pointee.linenumbers = 1
    }
}

// MARK: - What the callbacks do

extension SAXSession {
    private var line: Int {
        guard let input = unsafe context.pointee.input else { return 0 }
        return Int(unsafe input.pointee.line)
    }

    private var column: Int {
        guard let input = unsafe context.pointee.input else { return 0 }
        return Int(unsafe input.pointee.col)
    }

    private mutating func stop() {
        isStopped = true
        unsafe xmlStopParser(context)
    }

    private mutating func fail(_ error: CSDLError) {
        guard !isStopped else { return }
        chunk.failure = error
        stop()
    }

    /// Sees to it that the next event fits; false once nobody wants more.
    private mutating func makeRoom(_ byteCount: Int) -> Bool {
        guard !isStopped else { return false }
        if chunk.hasRoom(byteCount) { return true }
        guard chunk.isEmpty || exchange() else { return false }
        // A value may be larger than a chunk.
        if !chunk.hasRoom(byteCount) { chunk = EventChunk(capacity: byteCount) }
        return true
    }

    private mutating func exchange() -> Bool {
        guard let next = deliver(chunk) else {
            isUnwanted = true
            stop()
            return false
        }
        chunk = next
        return true
    }

    @unsafe fileprivate mutating func start(
        _ localName: UnsafePointer<xmlChar>,
        prefix: UnsafePointer<xmlChar>?,
        uri: UnsafePointer<xmlChar>?,
        list: UnsafeBufferPointer<LibXML2Attribute>
    ) {
        depth += 1
        guard depth <= maximumDepth, list.count <= SAXSession.maximumAttributeCount else {
            let what = depth > maximumDepth ? "nested deeper" : "with more attributes"
            let message = "An element is \(what) than the limits allow."
            return fail(CSDLError(.limit, message, line: line))
        }
        let isUnbound = unsafe prefix != nil && uri == nil
        let namespace = isUnbound ? XMLNamespace.unbound.code : unsafe namespaces.classify(uri)
        let kind = unsafe elements.value(localName)
        guard let element = ElementName(rawValue: kind) else {
            return unsafe writeUnknown(localName, namespace)
        }
        guard makeRoom(unsafe 8 + SAXSession.byteCount(of: list)) else { return }
        chunk.write(EventChunk.Tag.start.rawValue)
        chunk.write(kind)
        chunk.write(namespace)
        chunk.write(UInt8(list.count))
        chunk.write(UInt32(truncatingIfNeeded: line))
        for position in 0..<list.count { unsafe write(list[position]) }
        if element.holdsText, textDepth == 0 { listen(at: depth) }
    }

    @unsafe private mutating func writeUnknown(
        _ localName: UnsafePointer<xmlChar>,
        _ namespace: UInt8
    ) {
        guard makeRoom(16) else { return }
        chunk.write(EventChunk.Tag.startUnknown.rawValue)
        chunk.write(namespace)
        chunk.write(UInt32(truncatingIfNeeded: line))
        unsafe chunk.write(Optional(localName))
    }

    @unsafe private static func byteCount(of list: UnsafeBufferPointer<LibXML2Attribute>) -> Int {
        var count = unsafe list.count * LibXML2Attribute.headerSize
        for position in 0..<list.count { count += unsafe list[position].value.count }
        return count
    }

    @unsafe private mutating func write(_ attribute: LibXML2Attribute) {
        var kind = SAXNames.unknown
        if let name = unsafe attribute.localName, unsafe attribute.prefix == nil {
            kind = unsafe attributes.value(name)
        }
        chunk.write(kind)
        chunk.write(unsafe namespace(of: attribute))
        chunk.write(UInt32(truncatingIfNeeded: unsafe attribute.value.count))
        if kind == SAXNames.unknown {
            unsafe chunk.write(attribute.localName)
            unsafe chunk.write(attribute.prefix)
        }
        unsafe chunk.write(attribute.value)
    }

    @unsafe private mutating func namespace(of attribute: LibXML2Attribute) -> UInt8 {
        let isUnbound = unsafe attribute.uri == nil && attribute.prefix != nil
        return isUnbound ? XMLNamespace.unbound.code : unsafe namespaces.classify(attribute.uri)
    }

    /// Has libxml2 hand over text just where it is wanted.
    private mutating func listen(at depth: Int) {
        textDepth = depth
        unsafe context.pointee.sax.pointee.characters = depth > 0 ? textFound : nil
    }

    fileprivate mutating func end() {
        if depth == textDepth { listen(at: 0) }
        depth -= 1
        guard makeRoom(8) else { return }
        chunk.write(EventChunk.Tag.end.rawValue)
        chunk.write(UInt32(truncatingIfNeeded: line))
    }

    @unsafe fileprivate mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard textDepth > 0, makeRoom(8 + text.count) else { return }
        chunk.write(EventChunk.Tag.text.rawValue)
        chunk.write(UInt32(truncatingIfNeeded: text.count))
        unsafe chunk.write(text)
    }

    fileprivate mutating func refuseDocumentType() {
        let message = "A DOCTYPE is not allowed in CSDL: it could bring entities."
        fail(CSDLError(.documentType, message, line: line, column: column))
    }

    fileprivate mutating func report(_ text: String, isFatal: Bool, line: Int, column: Int) {
        if isFatal {
            let message = "Not well-formed XML: \(text)"
            return fail(CSDLError(.malformed, message, line: line, column: column))
        }
        var text = text
        text.withUTF8 { bytes in
            guard makeRoom(16 + bytes.count) else { return }
            chunk.write(EventChunk.Tag.warning.rawValue)
            chunk.write(UInt32(truncatingIfNeeded: line))
            chunk.write(UInt32(truncatingIfNeeded: bytes.count))
            unsafe chunk.write(bytes)
        }
    }

    private mutating func finish(isWellFormed: Bool) {
        if !isWellFormed { fail(CSDLError(.malformed, "Not well-formed XML.", line: line)) }
    }
}

// MARK: - Callbacks

/// Returns the session behind the user data; it is the one that `install` has set.
@unsafe private func sessionBehind(_ userData: UnsafeMutableRawPointer?)
    -> UnsafeMutablePointer<SAXSession>?
{
    unsafe userData?.assumingMemoryBound(to: SAXSession.self)
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
    unsafe sessionBehind(userData)?.pointee.start(
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
    unsafe sessionBehind(userData)?.pointee.end()
}

@unsafe private func textFound(
    _ userData: UnsafeMutableRawPointer?,
    _ text: UnsafePointer<xmlChar>?,
    _ count: Int32
) {
    unsafe sessionBehind(userData)?.pointee.add(UnsafeBufferPointer(start: text, count: Int(count)))
}

@unsafe private func documentTypeFound(
    _ userData: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ externalID: UnsafePointer<xmlChar>?,
    _ systemID: UnsafePointer<xmlChar>?
) {
    unsafe sessionBehind(userData)?.pointee.refuseDocumentType()
}
