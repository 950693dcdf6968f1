public import ODataModel

/// A CSDL document in a file, and the documents that it refers to in the files beside it.
public struct MetadataFile: Sendable {
    /// The file, as the command line names it.
    public let path: String

    /// The file at a path; nothing is read yet.
    public init(path: String) {
        self.path = path
    }

    /// Reads the document, from a file without having it in memory as a whole.
    ///
    /// - Throws: ``CommandFailure`` (invalid) with the file, the place and the reason.
    public func document() throws(CommandFailure) -> CSDLDocument {
        if path == "-" { return try read().document }
        do {
            return try CSDLDocument(readingFileAt: path, references: sibling)
        } catch  where error.code == .unreadable {
            throw CommandFailure(.invalid, error.message)
        } catch {
            throw CommandFailure(.invalid, "\(path): \(error)")
        }
    }

    /// Reads the document's bytes.
    ///
    /// - Throws: ``CommandFailure`` where they cannot be read.
    public func bytes() throws(CommandFailure) -> [UInt8] {
        try FileBytes.read(path, upTo: CSDLLimits().maximumByteCount)
    }

    /// Reads the document and its bytes.
    ///
    /// - Throws: ``CommandFailure`` (invalid) with the file, the place and the reason.
    public func read() throws(CommandFailure) -> (bytes: [UInt8], document: CSDLDocument) {
        let bytes = try bytes()
        return (bytes, try document(of: bytes))
    }

    /// Reads the document from the bytes of the file.
    ///
    /// - Throws: ``CommandFailure`` (invalid) with the file, the place and the reason.
    public func document(of bytes: [UInt8]) throws(CommandFailure) -> CSDLDocument {
        do {
            return try CSDLDocument(reading: bytes, references: sibling)
        } catch {
            throw CommandFailure(.invalid, "\(path): \(error)")
        }
    }

    /// The file of that name in the same directory: nothing is fetched, nothing outside the directory is read.
    private func sibling(_ reference: CSDLReference) -> [UInt8]? {
        guard path != "-", !reference.uri.contains("/"), !reference.uri.contains(":") else {
            return nil
        }
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return try? FileBytes.read(directory + reference.uri, upTo: CSDLLimits().maximumByteCount)
    }
}
