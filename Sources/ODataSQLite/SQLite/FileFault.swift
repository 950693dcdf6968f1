#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Why the system does not give us a file, which SQLite does not say.
package enum FileFault {
    /// The reason why an existing file cannot be read; nil if it can.
    package static func reading(_ path: String) -> String? {
        kind(path) ?? (unsafe access(path, R_OK) == 0 ? nil : reason())
    }

    /// The reason why what is at a path can be no database, whoever may read it; nil for a regular file.
    package static func kind(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return reason() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: return "it is a directory"
        default: return "it is no regular file"
        }
    }

    /// The reason why a file cannot be written, or made where there is none; nil where it can.
    package static func writing(_ path: String) -> String? {
        guard unsafe access(path, F_OK) == 0 else {
            return unsafe access(directory(of: path), W_OK | X_OK) == 0 ? nil : reason()
        }
        if let fault = reading(path) { return fault }
        return unsafe access(path, W_OK) == 0 ? nil : reason()
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno)).lowercased()
    }
}
