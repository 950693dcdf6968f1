#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A program in the folder of this one.
public enum SiblingProgram: Sendable {
    /// Lets another program take the place of this one, with the same arguments; returns why it does not.
    public static func run(_ name: String) -> CommandFailure {
        guard let own = path, let slash = own.lastIndex(of: "/") else {
            return .usage("this program does not know where it is: call \(name) itself")
        }
        let program = String(own[...slash]) + name
        let words = [program] + CommandLine.arguments.dropFirst()
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        unsafe execv(program, &pointers)
        let reason = unsafe String(cString: strerror(errno)).lowercased()
        return .usage(
            "cannot start \(program): \(reason)",
            advice: "`swift build` makes it; it belongs beside this program."
        )
    }

    /// The file of this program; the name that it was called by may be found in a search path.
    private static var path: String? {
        #if canImport(Darwin)
            var size: UInt32 = 0
            unsafe _NSGetExecutablePath(nil, &size)
            var name = [CChar](repeating: 0, count: Int(size))
            guard unsafe _NSGetExecutablePath(&name, &size) == 0 else { return nil }
            return unsafe String(cString: name)
        #else
            var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = unsafe bytes.withUnsafeMutableBytes { buffer -> Int in
                let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress
                guard let start = unsafe start else { return -1 }
                return unsafe readlink("/proc/self/exe", start, buffer.count)
            }
            guard count > 0 else { return nil }
            return String(decoding: bytes[..<count], as: UTF8.self)
        #endif
    }
}
