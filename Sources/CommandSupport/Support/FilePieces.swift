/// The bytes of a file, or of standard input, piece by piece: no file is too large for the memory.
public struct FilePieces: AsyncSequence, Sendable {
    /// Path; `-` is standard input.
    public let path: String

    /// The pieces of the file at a path, which is opened when the first one is asked for.
    public init(path: String) {
        self.path = path
    }

    /// Begins at the start of the file.
    public func makeAsyncIterator() -> Iterator { Iterator(path: path) }

    /// Reads the file from its start to its end.
    public struct Iterator: AsyncIteratorProtocol {
        let path: String
        private var file: OpenFile?

        init(path: String) { self.path = path }

        /// Returns the next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? {
            let file = try file ?? OpenFile(path)
            self.file = file
            let piece = try file.read()
            return piece.isEmpty ? nil : piece
        }
    }

    /// An open file, closed with its last holder.
    private final class OpenFile {
        private let descriptor: Int32
        private let path: String

        init(_ path: String) throws(CommandFailure) {
            self.path = path
            descriptor = try FileBytes.descriptor(reading: path)
        }

        deinit {
            FileBytes.close(descriptor)
        }

        func read() throws(CommandFailure) -> [UInt8] {
            try FileBytes.readPiece(from: descriptor, named: path)
        }
    }
}
