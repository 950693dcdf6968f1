import CLibXML2

/// One pass of libxml2 over the bytes of a document, its callbacks handed to a `CSDLXMLReader`.
///
/// The session stands still in memory while libxml2 runs: its address is the callbacks' user data. Everything here is
/// called by libxml2 on the thread that called `run`, one callback after the other.
@safe
struct SAXSession {
    /// More attributes than any element of CSDL has, SAP's included.
    private static let maximumAttributeCount = 250

    var reader: CSDLXMLReader
    private let limits: CSDLLimits
    private var elements = SAXNames(spellings: ElementName.spellings)
    private var attributes = SAXNames(spellings: AttributeName.spellings)
    private var namespaces = SAXNamespaces()
    private var context: xmlParserCtxtPtr?
    private var depth = 0
    private var isListening = false
    private var failure: CSDLError?
    private let kinds: UnsafeMutablePointer<UInt8>
    private let slots: UnsafeMutablePointer<UInt8>

    private init(reader: CSDLXMLReader, limits: CSDLLimits) {
        self.reader = reader
        self.limits = limits
        unsafe kinds = .allocate(capacity: SAXSession.maximumAttributeCount)
        unsafe kinds.initialize(
            repeating: SAXNames.unknown,
            count: SAXSession.maximumAttributeCount
        )
        unsafe slots = .allocate(capacity: AttributeName.allCases.count)
        unsafe slots.initialize(repeating: 0, count: AttributeName.allCases.count)
    }

    /// Reads the bytes from the first `<` on and returns the reader with what it has gathered.
    static func run(
        _ bytes: ArraySlice<UInt8>,
        through reader: CSDLXMLReader,
        limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        try unsafe run(through: reader, limits: limits) { session in
            unsafe bytes.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                let size = Int32(exactly: bytes.count) ?? 0
                unsafe parse(xmlCreateMemoryParserCtxt(start, size), session)
            }
        }
    }

    /// Reads a file of plain XML, piece by piece, and returns the reader with what it has gathered.
    static func run(
        _ file: DocumentFile,
        through reader: CSDLXMLReader,
        limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        try unsafe run(through: reader, limits: limits) { session in
            unsafe parse(file.makeParser(), session)
        }
    }

    private static func run(
        through reader: CSDLXMLReader,
        limits: CSDLLimits,
        _ parse: (UnsafeMutablePointer<SAXSession>) -> Void
    ) throws(CSDLError) -> CSDLXMLReader {
        xmlInitParser()
        var session = SAXSession(reader: reader, limits: limits)
        defer {
            unsafe session.kinds.deallocate()
            unsafe session.slots.deallocate()
        }
        unsafe withUnsafeMutablePointer(to: &session) { unsafe parse($0) }
        if let failure = session.failure ?? session.reader.failure { throw failure }
        return session.reader
    }

    @unsafe private static func parse(
        _ context: xmlParserCtxtPtr?,
        _ session: UnsafeMutablePointer<SAXSession>
    ) {
        guard let context = unsafe context else {
            unsafe session.pointee.failure = CSDLError(.notCSDL, "The document is empty.", line: 1)
            return
        }
        defer { unsafe xmlFreeParserCtxt(context) }
        unsafe session.pointee.context = context
        unsafe install(session, in: context)
        unsafe xmlParseDocument(context)
        unsafe session.pointee.finish(isWellFormed: context.pointee.wellFormed != 0)
        unsafe session.pointee.context = nil
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
            let level = unsafe error.pointee.level
            let isFatal = level == XML_ERR_FATAL
            let text = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
            unsafe sessionBehind(userData)?.pointee.report(
                text,
                isFatal: isFatal,
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
        guard let input = unsafe context?.pointee.input else { return 0 }
        return Int(unsafe input.pointee.line)
    }

    private var column: Int {
        guard let input = unsafe context?.pointee.input else { return 0 }
        return Int(unsafe input.pointee.col)
    }

    fileprivate mutating func fail(_ error: CSDLError) {
        if failure == nil { failure = error }
        unsafe xmlStopParser(context)
    }

    @unsafe fileprivate mutating func start(
        _ localName: UnsafePointer<xmlChar>,
        prefix: UnsafePointer<xmlChar>?,
        uri: UnsafePointer<xmlChar>?,
        attributeCount: Int,
        list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        guard failure == nil else { return }
        depth += 1
        guard depth <= limits.maximumDepth, attributeCount <= SAXSession.maximumAttributeCount
        else {
            let what = depth > limits.maximumDepth ? "nested deeper" : "with more attributes"
            return fail(
                CSDLError(.limit, "An element is \(what) than the limits allow.", line: line)
            )
        }
        let namespace: XMLNamespace =
            unsafe prefix != nil && uri == nil ? .unbound : namespaces.classify(uri)
        let element = unsafe ElementName(rawValue: elements.value(localName))
        let hasOthers = unsafe index(list, attributeCount)
        reader.line = line
        let lent = unsafe XMLAttributes(
            count: attributeCount,
            hasOthers: hasOthers,
            list: list,
            kinds: kinds,
            slots: slots
        )
        if let element {
            reader.start(element, in: namespace, lent, &namespaces)
        } else {
            unsafe reader.startUnknown(String(cString: localName), in: namespace)
        }
        forget(attributeCount)
        listen()
        if reader.failure != nil { unsafe xmlStopParser(context) }
    }

    /// Has libxml2 hand over text just where the reader wants it.
    private mutating func listen() {
        guard isListening != reader.wantsText else { return }
        isListening = reader.wantsText
        unsafe context?.pointee.sax.pointee.characters = isListening ? textFound : nil
    }

    /// Notes for each attribute which it is and where it stands; returns whether some have no place.
    @unsafe private mutating func index(
        _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
        _ count: Int
    ) -> Bool {
        guard let list = unsafe list else { return false }
        var hasOthers = false
        for position in 0..<count {
            guard let name = unsafe list[position * 5] else { continue }
            let isPlain = unsafe list[position * 5 + 1] == nil
            let kind = isPlain ? unsafe attributes.value(name) : SAXNames.unknown
            unsafe kinds[position] = kind
            if kind != SAXNames.unknown {
                unsafe slots[Int(kind)] = UInt8(position + 1)
            } else {
                hasOthers = true
            }
        }
        return hasOthers
    }

    private func forget(_ count: Int) {
        for position in 0..<count {
            let kind = unsafe kinds[position]
            if kind != SAXNames.unknown { unsafe slots[Int(kind)] = 0 }
        }
    }

    fileprivate mutating func end() {
        guard failure == nil else { return }
        depth -= 1
        reader.line = line
        reader.end()
        listen()
        if reader.failure != nil { unsafe xmlStopParser(context) }
    }

    @unsafe fileprivate mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        if reader.wantsText { unsafe reader.text.append(contentsOf: text) }
    }

    fileprivate mutating func refuseDocumentType() {
        let message = "A DOCTYPE is not allowed in CSDL: it could bring entities."
        fail(CSDLError(.documentType, message, line: line, column: column))
    }

    fileprivate mutating func report(_ text: String, isFatal: Bool, line: Int, column: Int) {
        // After a stop libxml2 tells of the stop itself.
        guard failure == nil, reader.failure == nil else { return }
        let message = text.split(separator: "\n").joined(separator: " ")
        if isFatal {
            failure = CSDLError(
                .malformed,
                "Not well-formed XML: \(message)",
                line: line + reader.skippedLines,
                column: column,
                path: reader.path
            )
        } else {
            reader.line = line
            reader.warn("libxml2 says: \(message)")
        }
    }

    private mutating func finish(isWellFormed: Bool) {
        if !isWellFormed, failure == nil, reader.failure == nil {
            failure = CSDLError(.malformed, "Not well-formed XML.", line: line)
        }
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
    unsafe sessionBehind(userData)?.pointee.start(
        localName,
        prefix: prefix,
        uri: uri,
        attributeCount: Int(attributeCount),
        list: attributes
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
