/// A sink that takes a recorded entity at once where it is *plain*: its values and its ETag, and nothing else.
///
/// Most entities are plain, and a plain entity costs one call instead of one for each value.
package protocol PlainEntitySink: EntitySink {
    /// Takes a plain entity.
    ///
    /// - Parameters:
    ///   - calls: ``RecordedCall`` words of its values.
    ///   - bytes: Their texts and blobs, one after the other.
    mutating func plainEntity(
        _ plan: EntityPlan,
        calls: Span<UInt64>,
        bytes: Span<UInt8>
    ) throws
}

extension PlainEntitySink {
    /// Takes it value by value.
    package mutating func plainEntity(
        _ plan: EntityPlan,
        calls: Span<UInt64>,
        bytes: Span<UInt8>
    ) throws {
        try beginEntity(plan)
        var index = 0
        var start = 0
        while index < calls.count {
            let call = RecordedCall(calls[index])
            let text = bytes.extracting(start..<(start + call.length))
            let value = index + 1 < calls.count ? calls[index + 1] : 0
            index += try takeValue(call, text: text, value: value)
            start += call.length
        }
        try endEntity()
    }

    /// Takes a value; returns how many words it has.
    mutating func takeValue(_ call: RecordedCall, text: Span<UInt8>, value: UInt64) throws
        -> Int
    {
        switch call.name {
        case .text: try self.text(text, slot: call.number)
        case .integer: try integer(Int64(bitPattern: value), slot: call.number)
        case .null: try null(call.number)
        case .real: try real(Double(bitPattern: value), slot: call.number)
        case .blob: try blob(text, slot: call.number)
        case .etag: try control(.etag, value: text)
        default: preconditionFailure("a plain entity holds values only")
        }
        return call.hasValue ? 2 : 1
    }
}

extension RecordedCall {
    /// Whether a word with its value stands behind it.
    var hasValue: Bool { name == .integer || name == .real }

    /// Whether a plain entity may have it.
    var isPlain: Bool { word & 0xFF <= UInt64(Name.etag.rawValue) }
}
