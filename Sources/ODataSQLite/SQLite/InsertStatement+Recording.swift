#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif
import ODataPayload

extension InsertStatement {
    /// Inserts the row of a recorded entity; what is bound already stays.
    ///
    /// SQLite reads texts and blobs where the recording has them: the row is in before this returns.
    ///
    /// - Parameters:
    ///   - calls: ``RecordedCall`` words of values and ETag.
    ///   - bytes: Their texts and blobs, one after the other.
    package func run(_ calls: Span<UInt64>, bytes: Span<UInt8>) throws {
        unsafe try bytes.withUnsafeBytes { texts in
            try unsafe bind(calls, texts: texts)
            try run()
        }
    }

    /// Binds each value; a text stays where it is.
    private func bind(_ calls: Span<UInt64>, texts: UnsafeRawBufferPointer) throws {
        var index = 0
        var start = 0
        while index < calls.count {
            let call = RecordedCall(calls[index])
            let text = unsafe UnsafeRawBufferPointer(rebasing: texts[start..<(start + call.length)])
            start += call.length
            index += 1
            let slot = firstSlot + call.number
            switch call.name {
            case .integer:
                try bind(Int64(bitPattern: calls[index]), at: slot)
                index += 1
            case .real:
                try bind(Double(bitPattern: calls[index]), at: slot)
                index += 1
            case .null: try bindNull(at: slot)
            case .text: try unsafe bind(unownedText: text, at: slot)
            case .blob: try unsafe bind(unownedBlob: text, at: slot)
            case .etag: try unsafe bind(unownedText: text, at: etagParameter)
            default: preconditionFailure("a plain entity holds values only")
            }
        }
    }
}
