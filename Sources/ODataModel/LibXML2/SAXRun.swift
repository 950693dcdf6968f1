import CLibXML2

/// Reads a document through libxml2: one thread parses, the calling one builds the model meanwhile.
///
/// A small document is parsed and replayed by the calling thread alone, chunk by chunk.
enum SAXRun {
    /// Below this a thread costs more than it brings.
    private static let parallelByteCount = 256 * 1024

    /// Reads the bytes from the first `<` on and returns the reader with what it has gathered.
    static func read(
        _ bytes: ArraySlice<UInt8>,
        through reader: CSDLXMLReader,
        limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        // libxml2 keeps a copy of the bytes.
        let context = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe xmlCreateMemoryParserCtxt(start, Int32(exactly: bytes.count) ?? 0)
        }
        return try unsafe read(context, byteCount: bytes.count, through: reader, limits)
    }

    /// Reads a file of plain XML, piece by piece, and returns the reader with what it has gathered.
    static func read(
        _ file: DocumentFile,
        through reader: CSDLXMLReader,
        limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        try unsafe read(file.makeParser(), byteCount: file.byteCount ?? 0, through: reader, limits)
    }

    @unsafe private static func read(
        _ context: xmlParserCtxtPtr?,
        byteCount: Int,
        through reader: CSDLXMLReader,
        _ limits: CSDLLimits
    ) throws(CSDLError) -> CSDLXMLReader {
        xmlInitParser()
        guard let context = unsafe context else {
            throw CSDLError(.notCSDL, "The document is empty.", line: 1)
        }
        // After the replay: names in the chunks point into the parser's dictionary.
        defer { unsafe xmlFreeParserCtxt(context) }
        var replay = EventReplay(reader: reader)
        let isLarge = byteCount >= parallelByteCount && ParserThread.isWorthwhile
        let isRead = isLarge ? unsafe readInParallel(context, &replay, limits) : false
        if !isRead { unsafe readInTurn(context, &replay, limits) }
        return try replay.finish()
    }

    @unsafe private static func readInTurn(
        _ context: xmlParserCtxtPtr,
        _ replay: inout EventReplay,
        _ limits: CSDLLimits
    ) {
        let last = unsafe SAXSession.parse(
            context,
            into: EventChunk(),
            maximumDepth: limits.maximumDepth
        ) { chunk in
            replay.play(chunk)
            chunk.removeAll()
            return replay.isFailed ? nil : chunk
        }
        if let last { replay.play(last) }
    }

    /// Returns false, with nothing done, where there is no thread to be had.
    @unsafe private static func readInParallel(
        _ context: xmlParserCtxtPtr,
        _ replay: inout EventReplay,
        _ limits: CSDLLimits
    ) -> Bool {
        let pipe = EventPipe()
        let input = unsafe Input(context: context)
        let depth = limits.maximumDepth
        let thread = ParserThread {
            let last = unsafe SAXSession.parse(
                input.context,
                into: pipe.begin(),
                maximumDepth: depth,
                deliver: pipe.exchange
            )
            pipe.end(last)
        }
        guard let thread else { return false }
        while let chunk = pipe.next() {
            replay.play(chunk)
            if replay.isFailed { pipe.stop() }
            pipe.recycle(chunk)
        }
        thread.join()
        return true
    }

    /// The parser on its way to the thread, which is the only one to use it until its end.
    @unsafe private struct Input: @unchecked Sendable {
        let context: xmlParserCtxtPtr
    }
}
