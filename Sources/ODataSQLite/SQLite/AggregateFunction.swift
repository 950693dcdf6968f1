#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif
import ODataValues

/// An aggregate SQL function of ours.
@safe
struct AggregateFunction: Sendable {
    typealias Step =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    typealias Final = @convention(c) (OpaquePointer?) -> Void

    /// Name in SQL.
    let name: String
    /// Number of arguments.
    let argumentCount: Int32
    private let step: Step
    private let final: Final

    @unsafe init(
        _ name: String,
        argumentCount: Int32,
        step: @escaping Step,
        final: @escaping Final
    ) {
        self.name = name
        self.argumentCount = argumentCount
        unsafe self.step = unsafe step
        unsafe self.final = unsafe final
    }

    @unsafe func register(on database: OpaquePointer) -> Int32 {
        unsafe sqlite3_create_function_v2(
            database,
            name,
            argumentCount,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            nil,
            nil,
            step,
            final,
            nil
        )
    }

    /// Every aggregate function of ours: sums and averages of decimals that SQLite would compute as floating-point numbers.
    static let all: [AggregateFunction] = [
        // odata_sum(value, scale): the sum as a decimal text; values are integers of that scale or decimal texts.
        unsafe AggregateFunction("odata_sum", argumentCount: 2) { context, count, values in
            unsafe DecimalAggregate.step(context, count, values)
        } final: { context in
            unsafe DecimalAggregate.finish(context) { $0.value }
        },
        // odata_average(value, scale): their mean, to 34 digits where it does not end.
        unsafe AggregateFunction("odata_average", argumentCount: 2) { context, count, values in
            unsafe DecimalAggregate.step(context, count, values)
        } final: { context in
            unsafe DecimalAggregate.finish(context) { sum in
                try? sum.value?.applying(.divide, DecimalText(sum.count))
            }
        },
    ]
}

/// What one group of a decimal aggregate has seen.
private final class DecimalAggregate {
    var sum = DecimalSum()
    /// Whether a value was not known: then the result is not known either.
    var isUnknown = false

    private static let pointerSize = unsafe Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)

    /// The object of a group, kept in the context that SQLite gives it; made where there is none yet.
    @unsafe private static func current(_ context: OpaquePointer?, isMade: Bool)
        -> DecimalAggregate?
    {
        let size: Int32 = isMade ? pointerSize : 0
        guard let place = unsafe sqlite3_aggregate_context(context, size) else { return nil }
        let slot = unsafe place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if let known = unsafe slot.pointee {
            return unsafe Unmanaged<DecimalAggregate>.fromOpaque(known).takeUnretainedValue()
        }
        guard isMade else { return nil }
        let made = DecimalAggregate()
        // Released in `finish`, which SQLite calls once for each group, after an error too.
        unsafe slot.pointee = unsafe Unmanaged.passRetained(made).toOpaque()
        return made
    }

    @unsafe static func step(
        _ context: OpaquePointer?,
        _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let call = unsafe FunctionCall(context, count, values)
        guard !call.isNull(0), let group = unsafe current(context, isMade: true) else { return }
        switch call.scalar(0) {
        case .integer(let value): group.sum.add(value, scale: Int(call.integer(1)))
        case .text(let text): if let value = DecimalText(encoded: text) { group.sum.add(value) }
        case .blob: group.isUnknown = true
        case .null, .real: break
        }
    }

    @unsafe static func finish(
        _ context: OpaquePointer?,
        _ result: (DecimalSum) -> DecimalText?
    ) {
        let call = unsafe FunctionCall(context, 0, nil)
        guard let group = unsafe current(context, isMade: false) else { return call.setNull() }
        defer { unsafe Unmanaged.passUnretained(group).release() }
        if group.isUnknown { return call.set([UInt8]()) }
        guard group.sum.count > 0 else { return call.setNull() }
        guard let value = result(group.sum) else { return call.fail(SQLiteError.overflowMessage) }
        call.set(value.encoded)
    }
}
