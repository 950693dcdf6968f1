import OfflineValues

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The report of a running job as a file: a whole document after every store, also where the process is killed.
///
/// It is locked while the job runs. Its bytes are not forced onto the disk: after a power cut the last stores are done once more.
final class JobReportFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the file, and makes it where there is none.
    ///
    /// - Throws: ``OfflineODataError`` where it cannot be written, or another run has it.
    init(_ path: String) throws(OfflineODataError) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno)).lowercased()
            throw OfflineODataError(
                .invalidInput,
                "cannot write the report \(path): \(reason); name another file"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw OfflineODataError(
                .inUse,
                "another run of the job writes the report \(path); wait for it or name another file"
            )
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// What an earlier run has left; nil for an empty file.
    ///
    /// - Throws: ``OfflineODataError`` where the file is no report: it is not overwritten.
    func former() throws(OfflineODataError) -> OfflineODataJobReport? {
        let bytes = try OfflineODataJob.contents(of: path)
        guard !bytes.isEmpty else { return nil }
        guard let report = OfflineODataJobReport(json: bytes) else {
            throw OfflineODataError(
                .invalidInput,
                "\(path) is no report of a job, and is not overwritten; name another file"
            )
        }
        return report
    }

    /// Writes another whole document.
    ///
    /// White space covers the end of a longer one before that goes, so that the file is a document at every moment.
    func replace(with bytes: [UInt8]) throws(OfflineODataError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        let rest = max(0, Int(status.st_size) - bytes.count)
        try write(bytes + [UInt8](repeating: UInt8(ascii: "\n"), count: rest), at: 0)
        try write([], at: bytes.count)
    }

    /// Writes bytes from an offset on; what stood behind them goes.
    func write(_ bytes: [UInt8], at offset: Int) throws(OfflineODataError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + start },
                    buffer.count - start,
                    off_t(offset + start)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            start += count
        }
        guard ftruncate(descriptor, off_t(offset + bytes.count)) == 0 else { throw failure() }
    }

    private func failure() -> OfflineODataError {
        let reason = unsafe String(cString: strerror(errno)).lowercased()
        return OfflineODataError(.internal, "cannot write to the report \(path): \(reason)")
    }
}
