extension OutputSpan<UInt8>: ByteSink {
    @inline(__always)
    package mutating func append(word: UInt64, count: Int) {
        guard freeCapacity >= 8, count <= 8 else { return appendBytes(of: word, count: count) }
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            // Eight bytes fit, as has been checked; those beyond the count are written over by what comes next.
            unsafe UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped).storeBytes(
                of: word.littleEndian,
                toByteOffset: initialized,
                as: UInt64.self
            )
            initialized &+= count
        }
    }

    private mutating func appendBytes(of word: UInt64, count: Int) {
        for index in 0..<count {
            append(UInt8(truncatingIfNeeded: word >> UInt64(index * 8)))
        }
    }

    @inline(__always)
    package mutating func append(bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        precondition(bytes.count <= freeCapacity, "the room made for a value is too small")
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            unsafe bytes.withUnsafeBufferPointer { source in
                // Both addresses are there, since neither buffer is empty.
                unsafe Self.copy(
                    UnsafeRawPointer(source.baseAddress.unsafelyUnwrapped),
                    to: UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
                        + initialized,
                    count: source.count
                )
            }
            initialized &+= bytes.count
        }
    }

    /// Copies words, the last one over a part of the one before: names and short texts are not worth a call.
    @inline(__always)
    private static func copy(
        _ source: UnsafeRawPointer,
        to target: UnsafeMutableRawPointer,
        count: Int
    ) {
        guard count >= 8, count <= 32 else {
            return unsafe target.copyMemory(from: source, byteCount: count)
        }
        var offset = 0
        while offset < count &- 8 {
            unsafe copyWord(source, to: target, at: offset)
            offset &+= 8
        }
        unsafe copyWord(source, to: target, at: count &- 8)
    }

    @inline(__always)
    private static func copyWord(
        _ source: UnsafeRawPointer,
        to target: UnsafeMutableRawPointer,
        at offset: Int
    ) {
        unsafe target.storeBytes(
            of: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
            toByteOffset: offset,
            as: UInt64.self
        )
    }
}
