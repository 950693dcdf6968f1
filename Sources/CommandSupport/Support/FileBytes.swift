import ODataProtocol
import Synchronization

#if canImport(Darwin)
    public import Darwin
#else
    public import Glibc
#endif

/// Whole files, and standard input, as bytes; the only place that calls the system for them.
public enum FileBytes: Sendable {
    private static let pieceSize = 256 * 1024
    private static let isUnread = Mutex(false)

    /// Whether standard output has failed: the next answer has no reader either.
    public static var hasLostItsReader: Bool { isUnread.guarded { $0 } }

    /// Reads a file; `-` is standard input.
    ///
    /// - Parameter limit: Bytes beyond which nothing more is read: pipes and devices may have no end.
    /// - Throws: ``CommandFailure`` that names the file and the reason.
    public static func read(_ path: String, upTo limit: Int = .max) throws(CommandFailure)
        -> [UInt8]
    {
        let descriptor = try descriptor(reading: path)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let piece = try readPiece(from: descriptor, named: path)
            guard !piece.isEmpty, bytes.count <= limit else { return bytes }
            bytes += piece
        }
    }

    /// Opens a file for reading; `-` is standard input.
    ///
    /// - Throws: ``CommandFailure`` that names the file and the reason.
    static func descriptor(reading path: String) throws(CommandFailure) -> Int32 {
        if path == "-" { return STDIN_FILENO }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot read", at: path) }
        return descriptor
    }

    /// Opens a file for writing, replacing an existing one; `-` is standard output.
    ///
    /// It holds what a store holds, so it can be read by its owner alone, as a store can.
    ///
    /// - Throws: ``CommandFailure`` that names the file and the reason.
    public static func descriptor(
        writing path: String,
        mode: mode_t = 0o600
    ) throws(CommandFailure) -> Int32 {
        if path == "-" { return STDOUT_FILENO }
        try refuseDatabase(at: path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure("cannot write", at: path) }
        return descriptor
    }

    /// Opens a file for writing at its end; `-` is standard error.
    ///
    /// - Throws: ``CommandFailure`` that names the file and the reason.
    static func descriptor(appending path: String) throws(CommandFailure) -> Int32 {
        if path == "-" { return STDERR_FILENO }
        try refuseDatabase(at: path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot write", at: path) }
        return descriptor
    }

    /// Writes a file, replacing an existing one once the new one is whole; `-` is standard output.
    ///
    /// - Throws: ``CommandFailure`` that names the file and the reason.
    public static func write(
        _ bytes: [UInt8],
        to path: String,
        mode: mode_t = 0o600
    ) throws(CommandFailure) {
        try refuseDatabase(at: path)
        let part = path + ".part"
        guard isPlain(path), let descriptor = try? descriptor(writing: part, mode: mode) else {
            let descriptor = try descriptor(writing: path, mode: mode)
            defer { close(descriptor) }
            return try write(bytes, to: descriptor, named: path)
        }
        defer { close(descriptor) }
        do {
            try write(bytes, to: descriptor, named: path)
            try move(part, to: path)
        } catch {
            unsafe unlink(part)
            throw error
        }
    }

    /// Refuses to write over a database: it may be a store, with changes that no other file has.
    private static func refuseDatabase(at path: String) throws(CommandFailure) {
        guard path != "-", isFile(path), (try? isDatabase(path)) == true else { return }
        throw CommandFailure(
            .invalid,
            "\(path) is an SQLite database, and is not overwritten; name another file"
        )
    }

    /// Whether a file begins as every plain SQLite database does (https://www.sqlite.org/fileformat.html § 1.3).
    ///
    /// - Throws: ``CommandFailure`` where it cannot be read.
    public static func isDatabase(_ path: String) throws(CommandFailure) -> Bool {
        let mark = Array("SQLite format 3\0".utf8)
        return try head(of: path, count: mark.count) == mark
    }

    /// Whether two paths lead to one file.
    static func isSameFile(_ path: String, _ other: String) -> Bool {
        var (facts, others) = (stat(), stat())
        guard unsafe stat(path, &facts) == 0, unsafe stat(other, &others) == 0 else { return false }
        return facts.st_dev == others.st_dev && facts.st_ino == others.st_ino
    }

    /// Whether another file can take the place of what is at a path: there is nothing, or a file of its owner alone.
    ///
    /// A pipe, a device, a link and a file that others may read are written where they are.
    private static func isPlain(_ path: String) -> Bool {
        guard path != "-" else { return false }
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return errno == ENOENT }
        return facts.st_mode & S_IFMT == S_IFREG && facts.st_mode & 0o777 == 0o600
    }

    /// Moves a file or a directory, replacing a file that is there.
    ///
    /// - Throws: ``CommandFailure`` that names the new place and the reason.
    public static func move(_ path: String, to place: String) throws(CommandFailure) {
        guard unsafe rename(path, place) != 0 else { return }
        throw failure("cannot write", at: place)
    }

    /// Whether something is at a path.
    public static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Whether there is a symbolic link at a path, wherever it leads.
    public static func isLink(_ path: String) -> Bool {
        var info = stat()
        return unsafe lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether there is a directory at a path.
    public static func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    /// Whether there is a regular file at a path, which ends, and can be read from its start.
    public static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

    /// What a path leads to, links followed; nil for nothing.
    private static func kind(of path: String) -> mode_t? {
        var info = stat()
        return unsafe stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }

    /// Returns the first bytes of a file, fewer where it is shorter.
    ///
    /// - Throws: ``CommandFailure`` that names the file and the reason.
    public static func head(of path: String, count: Int) throws(CommandFailure) -> [UInt8] {
        let descriptor = try descriptor(reading: path)
        defer { close(descriptor) }
        return Array(try readPiece(from: descriptor, named: path).prefix(count))
    }

    /// Makes a directory unless it exists; its parent must exist.
    ///
    /// - Throws: ``CommandFailure`` that names it and the reason.
    public static func makeDirectory(_ path: String) throws(CommandFailure) {
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw failure("cannot make the directory", at: path)
    }

    /// Makes a directory and those above it unless they are there.
    ///
    /// - Throws: ``CommandFailure`` that names it and the reason.
    public static func makeDirectories(_ path: String) throws(CommandFailure) {
        guard !exists(path) else { return }
        try makeDirectories(above: path)
        try makeDirectory(path)
    }

    /// Makes the directories that a path leads through, unless they are there.
    ///
    /// - Throws: ``CommandFailure`` that names one and the reason.
    public static func makeDirectories(above path: String) throws(CommandFailure) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        try makeDirectories(String(path[..<slash]))
    }

    /// Removes a file; one that is not there is no error.
    ///
    /// - Throws: ``CommandFailure`` that names it and the reason.
    public static func remove(_ path: String) throws(CommandFailure) {
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw failure("cannot remove", at: path)
    }

    /// Removes a directory where nothing is in it.
    public static func removeEmptyDirectory(_ path: String) {
        _ = unsafe rmdir(path)
    }

    /// Returns the names of the files in a directory, sorted.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be read.
    public static func names(in directory: String) throws(CommandFailure) -> [String] {
        guard let handle = unsafe opendir(directory) else {
            throw failure("cannot read", at: directory)
        }
        defer { unsafe closedir(handle) }
        var names: [String] = []
        while let entry = unsafe readdir(handle) {
            // The name is an array of the entry, ended by a zero.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 1) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    // MARK: Descriptors

    /// Writes bytes to a descriptor as a whole.
    public static func write(_ bytes: [UInt8], to descriptor: Int32, named name: String)
        throws(CommandFailure)
    {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    unsafe Darwin.write(
                        descriptor,
                        buffer.baseAddress.map { unsafe $0 + start },
                        buffer.count - start
                    )
                #else
                    unsafe Glibc.write(
                        descriptor,
                        buffer.baseAddress.map { unsafe $0 + start },
                        buffer.count - start
                    )
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if descriptor == STDOUT_FILENO { isUnread.guarded { $0 = true } }
                throw failure("cannot write to", at: name == "-" ? "the standard output" : name)
            }
            start += count
        }
    }

    /// Closes a file unless it is a standard one.
    public static func close(_ descriptor: Int32) {
        guard descriptor > STDERR_FILENO else { return }
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }

    /// Reads what comes next, at most a piece; empty at the end.
    static func readPiece(from descriptor: Int32, named name: String) throws(CommandFailure)
        -> [UInt8]
    {
        var piece = [UInt8](repeating: 0, count: pieceSize)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                #if canImport(Darwin)
                    unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                    unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot read", at: name) }
            piece.removeLast(piece.count - count)
            return piece
        }
    }

    private static func failure(_ what: String, at path: String) -> CommandFailure {
        let number = errno
        // A reader that has seen enough (`| head`) wants no remark.
        guard number != EPIPE else { return CommandFailure(.failed, "") }
        let reason = unsafe String(cString: strerror(number))
        // A file that cannot be had is invalid input; a full disk is not.
        let status: ExitStatus =
            [ENOENT, EACCES, EISDIR, ENOTDIR].contains(number) ? .invalid : .failed
        return CommandFailure(status, "\(what) \(path): \(reason.lowercased())")
    }
}
