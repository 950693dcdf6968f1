extension RowBatch {
    /// The text of a value kept as text.
    package func string(_ cell: Cell) -> String {
        let range = range(cell)
        // The range lies in the buffer: it was noted when the bytes were put there.
        return unsafe texts.withUnsafeBufferPointer { bytes in
            unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
    }
}
