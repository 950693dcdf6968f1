#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A document in a file, read piece by piece where it is plain XML: it never stands in memory as a whole.
@safe
final class DocumentFile {
    /// Size of a regular file in bytes; nil for pipes and the like.
    let byteCount: Int?
    private let descriptor: Int32
    private let path: String

    /// What is read at first: enough to see what the document is.
    private static let startSize = 256
    private static let pieceSize = 256 * 1024

    /// Opens a file.
    ///
    /// - Throws: ``CSDLError`` (unreadable) with the reason.
    init(path: String) throws(CSDLError) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DocumentFile.failure(path) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw DocumentFile.failure(path) }
        byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    deinit {
        close(descriptor)
    }

    /// Whether libxml2 can read the file itself: XML from its first byte on, in a file that stays where it is.
    var isPlainXML: Bool {
        guard byteCount != nil else { return false }
        var start = [UInt8](repeating: 0, count: DocumentFile.startSize)
        let count = unsafe start.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        guard count > 0 else { return false }
        let found = DocumentStart(Array(start[..<count]))
        return found.format == .xml && found.offset == 0
    }

    /// Returns all bytes.
    ///
    /// - Throws: ``CSDLError`` (unreadable) with the reason.
    func bytes() throws(CSDLError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: byteCount.map { $0 + 1 } ?? Self.pieceSize)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw DocumentFile.failure(path) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    /// A parser that reads the file from its beginning; the caller frees it.
    @unsafe func makeParser() -> xmlParserCtxtPtr? {
        // The buffer closes its descriptor, so that it gets one of its own.
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return nil }
        guard let buffer = unsafe xmlParserInputBufferCreateFd(own, XML_CHAR_ENCODING_NONE) else {
            close(own)
            return nil
        }
        guard let parser = unsafe xmlNewParserCtxt() else {
            unsafe xmlFreeParserInputBuffer(buffer)
            return nil
        }
        guard let input = unsafe xmlNewIOInputStream(parser, buffer, XML_CHAR_ENCODING_NONE) else {
            unsafe xmlFreeParserInputBuffer(buffer)
            unsafe xmlFreeParserCtxt(parser)
            return nil
        }
        unsafe inputPush(parser, input)
        return unsafe parser
    }

    private static func failure(_ path: String) -> CSDLError {
        let reason = unsafe String(cString: strerror(errno)).lowercased()
        return CSDLError(.unreadable, "cannot read \(path): \(reason)", line: 0)
    }
}
