#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Bytes that are overwritten before their memory is given back.
///
/// What guards what: the buffer is written in the initializers only.
@safe
final class SecretBytes: @unchecked Sendable {
    private let buffer: UnsafeMutableBufferPointer<UInt8>

    /// Copies bytes.
    convenience init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { output in
            for byte in bytes { output(byte) }
        }
    }

    /// Puts the hexadecimal digits of a secret between two texts.
    convenience init(_ before: [UInt8], hex secret: SecretBytes, after: [UInt8]) {
        self.init(count: before.count + 2 * secret.count + after.count) { output in
            let digits = Array("0123456789abcdef".utf8)
            for byte in before { output(byte) }
            secret.withBytes { bytes in
                for index in bytes.indices {
                    output(digits[Int(bytes[index] >> 4)])
                    output(digits[Int(bytes[index] & 0xF)])
                }
            }
            for byte in after { output(byte) }
        }
    }

    private init(count: Int, _ fill: ((UInt8) -> Void) -> Void) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        unsafe self.buffer = unsafe buffer
        unsafe buffer.initialize(repeating: 0)
        var next = 0
        fill { byte in
            unsafe buffer[next] = byte
            next += 1
        }
    }

    deinit {
        // An ordinary loop over memory that is freed right after may be left out by the optimizer; this call may not.
        if let start = unsafe buffer.baseAddress { unsafe Self.wipe(start, count: buffer.count) }
        unsafe buffer.deallocate()
    }

    @unsafe private static func wipe(_ start: UnsafeMutablePointer<UInt8>, count: Int) {
        #if canImport(Darwin)
            _ = unsafe memset_s(start, count, 0, count)
        #else
            unsafe explicit_bzero(start, count)
        #endif
    }

    /// How many there are.
    var count: Int { unsafe buffer.count }

    /// Calls a function with the bytes, which are good for as long as it runs.
    func withBytes<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(buffer)))
    }
}
