/// The key of encrypted files, in memory that is overwritten when the last connection that needs it is gone.
///
/// SQLite and its cipher keep copies of their own, as does whoever has made the key out of a `String`.
public final class EncryptionKey: Sendable {
    private let secret: SecretBytes
    /// Whether the bytes are the key itself; else the cipher derives it from them.
    private let isRaw: Bool

    /// Bytes of a key that is used as it is.
    public static let rawByteCount = 32

    /// Creates a key that the cipher derives from a text.
    public convenience init(text: String) {
        self.init(passphrase: Array(text.utf8))
    }

    /// Creates a key of bytes: 32 are the key itself, any other number is a passphrase.
    public convenience init(bytes: [UInt8]) {
        self.init(bytes, isRaw: bytes.count == Self.rawByteCount)
    }

    /// Creates a key that the cipher derives from the UTF-8 of a text.
    package convenience init(passphrase: [UInt8]) {
        self.init(passphrase, isRaw: false)
    }

    private init(_ bytes: [UInt8], isRaw: Bool) {
        secret = SecretBytes(bytes)
        self.isRaw = isRaw
    }

    /// Whether there is nothing in it, which the ciphers take for no key at all.
    public var isEmpty: Bool { secret.count == 0 }

    /// Whether a passphrase has a form that ciphers take for a raw key: `raw:…` and `x'…'`.
    package var isTakenForRaw: Bool {
        guard !isRaw else { return false }
        let starts = ["raw:", "x'", "X'"].map { Array($0.utf8) }
        return secret.withBytes { bytes in
            starts.contains { start in
                bytes.count >= start.count && start.indices.allSatisfy { bytes[$0] == start[$0] }
            }
        }
    }

    /// Whether both are of the same bytes, and used in the same way.
    package func isSame(as other: EncryptionKey) -> Bool {
        isRaw == other.isRaw
            && secret.withBytes { own in
                other.secret.withBytes { others in
                    own.count == others.count && own.indices.allSatisfy { own[$0] == others[$0] }
                }
            }
    }

    /// The key as the ciphers read it behind `ATTACH … KEY`.
    func attached(_ cipher: SQLiteCipher) -> SecretBytes {
        guard isRaw else { return secret }
        return framed(cipher, before: "", after: "")
    }

    /// The statement that gives a new connection the key: a passphrase in hexadecimal digits, so that it may hold any byte.
    func statement(_ cipher: SQLiteCipher) -> SecretBytes {
        guard isRaw else {
            return SecretBytes(
                Array("PRAGMA hexkey = '".utf8),
                hex: secret,
                after: Array("'\0".utf8)
            )
        }
        return framed(cipher, before: "PRAGMA key = \"", after: "\"\0")
    }

    private func framed(_ cipher: SQLiteCipher, before: String, after: String) -> SecretBytes {
        let frame = cipher.rawKeyFrame
        return SecretBytes(
            Array((before + frame.before).utf8),
            hex: secret,
            after: Array((frame.after + after).utf8)
        )
    }
}
