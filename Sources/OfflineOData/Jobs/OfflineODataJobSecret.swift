import OfflineValues

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

/// Where a secret of a job stands: in a file or in the environment, never in the job.
public enum OfflineODataJobSecret: Sendable, Hashable {
    /// In a file, without the newline at its end: `@FILE`.
    case file(String)
    /// In a variable of the environment: `env:NAME`.
    case environment(String)

    /// Reads a reference; nil for a text that is none.
    public init?(_ reference: String) {
        if reference.hasPrefix("@"), reference.utf8.count > 1 {
            self = .file(String(reference.dropFirst()))
        } else if reference.hasPrefix("env:"), reference.utf8.count > 4 {
            self = .environment(String(reference.dropFirst(4)))
        } else {
            return nil
        }
    }

    /// The reference as it is written.
    public var reference: String {
        switch self {
        case .file(let path): "@" + path
        case .environment(let name): "env:" + name
        }
    }

    /// Reads the secret.
    ///
    /// - Parameter resolved: Turns a path of the job into one that the process can open.
    /// - Throws: ``OfflineODataError`` (invalid input) that names the reference; the secret never stands in it.
    func text(_ resolved: (String) -> String) throws(OfflineODataError) -> String {
        let text =
            switch self {
            case .file(let path): try Self.contents(resolved(path), reference)
            case .environment(let name): try Self.variable(name)
            }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw OfflineODataError(
                .invalidInput,
                "\(reference) must hold one line of text"
            )
        }
        return text
    }

    private static func contents(
        _ path: String,
        _ reference: String
    ) throws(OfflineODataError) -> String {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw OfflineODataError(
                .invalidInput,
                "\(reference) cannot be read: see that \(path) exists"
            )
        }
        var text = String(decoding: data, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    private static func variable(_ name: String) throws(OfflineODataError) -> String {
        guard let value = unsafe getenv(name) else {
            throw OfflineODataError(
                .invalidInput,
                "there is no variable \(name) in the environment"
            )
        }
        return unsafe String(cString: value)
    }
}
