/// What a PEM file holds, by the lines that begin its parts (RFC 7468).
struct PEMFile {
    private let text: String

    init(_ bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether there is a certificate.
    var hasCertificate: Bool {
        begins("CERTIFICATE") || begins("TRUSTED CERTIFICATE") || begins("X509 CERTIFICATE")
    }

    /// Whether there is a private key: `PRIVATE KEY`, `ENCRYPTED PRIVATE KEY`, `EC PRIVATE KEY` and its kin.
    var hasKey: Bool { text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----") }

    /// Whether the key needs a password (RFC 5958 § 3, RFC 1421 § 4.6.1.1).
    var hasEncryptedKey: Bool {
        begins("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
    }

    private func begins(_ label: String) -> Bool { text.contains("-----BEGIN \(label)-----") }
}
