import Foundation

/// `openssl s_server` with a certificate made for the occasion; it ends with its owner.
public final class TLSServer: Sendable {
    /// The port that is listened on.
    public let port: UInt16
    /// The certificate, which is its own authority.
    public let certificate: String
    /// Its key.
    public let key: String
    private let folder: URL
    private let process: ChildProcess

    private static let tool = "/usr/bin/openssl"

    /// Whether there is the tool; tests that need it are left out without.
    public static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: tool) }

    struct Failure: Error {}

    /// Serves one page over TLS; with `asksClient` only to clients with the same certificate.
    public static func start(asksClient: Bool) async throws -> TLSServer {
        try await onThread { try TLSServer(asksClient: asksClient) }
    }

    private init(asksClient: Bool) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appending(path: "certificate.pem").path()
        key = folder.appending(path: "key.pem").path()
        try Self.makeCertificate(certificate, key)
        process = try ChildProcess(
            Self.tool,
            ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate, "-key", key]
                + (asksClient
                    ? ["-Verify", "1", "-verify_return_error", "-CAfile", certificate] : [])
        )
        port = try Self.readPort(process)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private static func makeCertificate(_ certificate: String, _ key: String) throws {
        let process = try ChildProcess(
            tool,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ]
        )
        guard process.waitForEnd() == 0 else { throw Failure() }
    }

    /// The tool says `ACCEPT 127.0.0.1:PORT` once it listens.
    private static func readPort(_ process: ChildProcess) throws -> UInt16 {
        var text = ""
        while let piece = process.readOutput() {
            text += piece
            guard text.hasSuffix("\n") else { continue }
            let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
            if let port = line?.split(separator: ":").last.flatMap({ UInt16($0) }) { return port }
        }
        throw Failure()
    }
}
