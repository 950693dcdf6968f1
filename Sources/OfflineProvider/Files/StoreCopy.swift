import OfflineSync
import StoreRecords
import OfflineValues
import ODataHTTP
import OfflineStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A copy of a store in an open file without a name, so that the disk keeps nothing of it after a crash either.
final class StoreCopy: Sendable {
    private let descriptor: Int32
    /// Its length.
    let byteCount: Int

    /// Bytes of one piece.
    private static let pieceSize = 64 * 1024

    /// Copies a store.
    init(of store: LocalStore, besides storeFile: String) async throws {
        let suffix = String(UInt64.random(in: .min ... .max), radix: 16)
        let path = storeFile + StoreFiles.copyMark + suffix
        defer { unsafe unlink(path) }
        try await store.copy(to: path)
        (descriptor, byteCount) = try await DiskWork.run { try Self.opened(path) }
    }

    deinit { close(descriptor) }

    /// The copy as the body of a request.
    ///
    /// - Parameter note: Called with the length of each piece that is taken.
    func body(_ note: @escaping @Sendable (Int) -> Void) -> HTTPStreamedBody {
        HTTPStreamedBody(byteCount: byteCount) { [self] in
            let pieces = Pieces(of: self)
            return HTTPBody {
                guard let piece = try await pieces.next() else { return nil }
                note(piece.count)
                return piece
            }
        }
    }

    /// Reads the copy from its beginning.
    private actor Pieces {
        private let copy: StoreCopy
        private var offset = 0

        init(of copy: StoreCopy) { self.copy = copy }

        func next() async throws -> [UInt8]? {
            let (copy, start) = (copy, offset)
            let piece = try await DiskWork.run { try copy.piece(at: start) }
            offset += piece.count
            return piece.isEmpty ? nil : piece
        }
    }

    private func piece(at offset: Int) throws -> [UInt8] {
        let count = min(Self.pieceSize, max(0, byteCount - offset))
        return try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            let result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
            guard result == count else { throw Self.failure("cannot read") }
            read = result
        }
    }

    private static func opened(_ path: String) throws -> (descriptor: Int32, byteCount: Int) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
            throw failure("cannot open")
        }
        return (descriptor, Int(status.st_size))
    }

    private static func failure(_ what: String) -> OfflineODataError {
        let reason = unsafe String(cString: strerror(errno)).lowercased()
        return OfflineODataError(
            .internal,
            "\(what) the copy of the store: \(reason)",
            code: .storage
        )
    }
}
