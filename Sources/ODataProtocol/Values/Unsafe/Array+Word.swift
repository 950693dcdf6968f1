extension [UInt8] {
    /// Appends the first bytes of a word, the lowest one first: many bytes for the price of one.
    ///
    /// - Parameter count: At most 8.
    @inline(__always)
    mutating func append(word: UInt64, count: Int) {
        // The buffer is the word's own eight bytes.
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { bytes in
            unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[0..<count]))
        }
    }
}
