/// A sink that takes recorded entities at once where they are *plain*: their values, exact texts and ETags, and nothing else.
///
/// Most entities are plain, and they follow one another: one call takes a whole run of them.
package protocol PlainEntitySink: EntitySink {
    /// Takes plain entities of one type that follow one another.
    ///
    /// - Parameters:
    ///   - count: How many there are, one at least.
    ///   - calls: ``RecordedCall`` words, of each entity from its beginning to its end.
    ///   - bytes: Their texts and blobs, one after the other.
    mutating func plainEntities(
        _ plan: EntityPlan,
        count: Int,
        calls: Span<UInt64>,
        bytes: Span<UInt8>
    ) throws
}

extension PlainEntitySink {
    /// Takes them value by value.
    package mutating func plainEntities(
        _ plan: EntityPlan,
        count: Int,
        calls: Span<UInt64>,
        bytes: Span<UInt8>
    ) throws {
        var run = PlainRun()
        while run.word < calls.count {
            let entity = run.next(calls)
            try plainEntity(
                plan,
                calls: calls.extracting(entity.words),
                bytes: bytes.extracting(entity.bytes)
            )
        }
    }

    /// Takes one value by value.
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
        case .exact: try exact(text, slot: call.number)
        default: preconditionFailure("a plain entity holds values only")
        }
        return call.hasValue ? 2 : 1
    }
}

extension RecordedCall {
    /// Whether a word with its value stands behind it.
    var hasValue: Bool { name == .integer || name == .real }

    /// Whether a plain entity may have it.
    var isPlain: Bool { word & 0xFF <= UInt64(Name.exact.rawValue) }
}
