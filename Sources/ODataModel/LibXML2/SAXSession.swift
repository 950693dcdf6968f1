#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// One pass of libxml2 over the bytes of a document: its callbacks go straight to the reader.
///
/// The session stands still in memory while libxml2 runs: its address is the callbacks' user data. Everything here is
/// called by libxml2 on the thread that reads, one callback after the other.
@safe
struct SAXSession: ~Copyable {
    private let context: xmlParserCtxtPtr
    private let maximumDepth: Int
    private var reader: CSDLXMLReader
    private var failure: CSDLError?
    private var elements = SAXNames(spellings: ElementName.spellings)
    private var attributes = SAXAttributes()
    private var namespaces = SAXNamespaces()
    private var depth = 0
    /// Depth of the element whose text is wanted, 0 outside of one.
    private var textDepth = 0

    private init(
        _ context: xmlParserCtxtPtr,
        reader: consuming CSDLXMLReader,
        maximumDepth: Int
    ) {
        unsafe self.context = unsafe context
        self.reader = reader
        self.maximumDepth = maximumDepth
    }

    /// Reads the bytes from the first `<` on and returns the reader with what it has gathered.
    static func read(
        _ bytes: ArraySlice<UInt8>,
        through reader: consuming CSDLXMLReader,
        limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        // libxml2 keeps a copy of the bytes.
        let context = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe xmlCreateMemoryParserCtxt(start, Int32(exactly: bytes.count) ?? 0)
        }
        return try unsafe read(context, through: reader, limits: limits)
    }

    /// Reads a file of plain XML, piece by piece, and returns the reader with what it has gathered.
    static func read(
        _ file: DocumentFile,
        through reader: consuming CSDLXMLReader,
        limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        try unsafe read(file.makeParser(), through: reader, limits: limits)
    }

    @unsafe private static func read(
        _ context: xmlParserCtxtPtr?,
        through reader: consuming CSDLXMLReader,
        limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        xmlInitParser()
        guard let context = unsafe context else {
            throw CSDLError(.unreadable, XMLTree.missingLibrary, line: 0)
        }
        defer { unsafe xmlFreeParserCtxt(context) }
        var session = unsafe SAXSession(
            context,
            reader: reader,
            maximumDepth: limits.maximumDepth
        )
        unsafe withUnsafeMutablePointer(to: &session) { session in
            unsafe install(session, in: context)
            unsafe xmlParseDocument(context)
            unsafe session.pointee.finish(isWellFormed: context.pointee.wellFormed != 0)
        }
        return try session.result()
    }

    private consuming func result() throws(CSDLError) -> CSDLXMLReader {
        if let failure { throw failure }
        return reader
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
            // The reader reports unbound prefixes, and how it treats them.
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

    /// Refuses the document; what follows is not read.
    private mutating func fail(_ error: CSDLError) {
        guard failure == nil else { return }
        failure = error
        unsafe xmlStopParser(context)
    }

    /// Refuses the document for what libxml2 or this session has found, whose line counts from the first element's.
    private mutating func fail(
        _ code: CSDLError.Code,
        _ message: String,
        line: Int,
        column: Int = 0
    ) {
        let path = code == .malformed ? reader.path : ""
        let line = line + reader.skippedLines
        fail(CSDLError(code, message, line: line, column: column, path: path))
    }

    @unsafe fileprivate mutating func start(
        _ localName: UnsafePointer<xmlChar>,
        prefix: UnsafePointer<xmlChar>?,
        uri: UnsafePointer<xmlChar>?,
        list: UnsafeBufferPointer<LibXML2Attribute>
    ) {
        guard failure == nil else { return }
        depth += 1
        guard depth <= maximumDepth, list.count <= SAXAttributes.maximumCount else {
            let what = depth > maximumDepth ? "nested deeper" : "with more attributes"
            return fail(.limit, "An element is \(what) than the limits allow.", line: line)
        }
        reader.line = line
        let namespace = unsafe namespaces.classify(uri, prefix: prefix)
        if let element = ElementName(rawValue: unsafe elements.value(localName)) {
            unsafe start(element, in: namespace, list: list)
        } else {
            reader.startUnknown(unsafe String(cString: localName), in: namespace)
        }
        passFailure()
    }

    @unsafe private mutating func start(
        _ element: ElementName,
        in namespace: XMLNamespace,
        list: UnsafeBufferPointer<LibXML2Attribute>
    ) {
        let lent = unsafe attributes.lend(list, of: element, namespaces: &namespaces)
        reader.start(element, in: namespace, attributes: lent)
        if element.holdsText, textDepth == 0 { listen(at: depth) }
    }

    /// Has libxml2 hand over text just where it is wanted.
    private mutating func listen(at depth: Int) {
        textDepth = depth
        unsafe context.pointee.sax.pointee.characters = depth > 0 ? textFound : nil
    }

    fileprivate mutating func end() {
        guard failure == nil else { return }
        if depth == textDepth { listen(at: 0) }
        depth -= 1
        reader.line = line
        reader.end()
        passFailure()
    }

    @unsafe fileprivate mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard failure == nil, textDepth > 0, reader.wantsText else { return }
        unsafe reader.text.append(contentsOf: text)
    }

    fileprivate mutating func refuseDocumentType() {
        let message = "A DOCTYPE is not allowed in CSDL: it could bring entities."
        fail(.documentType, message, line: line, column: column)
    }

    fileprivate mutating func report(_ text: String, isFatal: Bool, line: Int, column: Int) {
        guard failure == nil else { return }
        if isFatal {
            return fail(.malformed, "Not well-formed XML: \(text)", line: line, column: column)
        }
        reader.line = line
        reader.warn("libxml2 says: \(text)")
    }

    private mutating func finish(isWellFormed: Bool) {
        if !isWellFormed { fail(.malformed, "Not well-formed XML.", line: line) }
    }

    /// The reader has found what cannot be survived.
    private mutating func passFailure() {
        if let failure = reader.failure { fail(failure) }
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
