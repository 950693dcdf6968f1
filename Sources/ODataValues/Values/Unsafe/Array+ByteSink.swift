extension [UInt8]: ByteSink {
    @inline(__always)
    package mutating func append(word: UInt64, count: Int) {
        // The buffer is the word's own eight bytes.
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { bytes in
            unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[0..<count]))
        }
    }

    package mutating func append(bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
