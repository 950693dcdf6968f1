/// Durations: `[SIGN] "P" [ 1*DIGIT "D" ] [ "T" [ 1*DIGIT "H" ] [ 1*DIGIT "M" ] [ 1*DIGIT [ "." 1*DIGIT ] "S" ] ]`
/// (OData ABNF `durationValue`), which is also the form of `Edm.Time` in versions 1 to 3.
package enum DurationText {
    /// Reads a duration in ticks of 100 ns; nil where it is none, has years or months, or does not fit into 64 bits.
    ///
    /// Fractions finer than a tick are cut off toward minus infinity, so that the order of values stays.
    package static func parse(_ text: Span<UInt8>) -> (ticks: Int64, needsExact: Bool)? {
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative || (text.count > 0 && text[0] == UInt8(ascii: "+")) { index = 1 }
        guard index < text.count, text[index] | 0x20 == UInt8(ascii: "p") else { return nil }
        index += 1
        var parts = Parts()
        var isTime = false
        var isEmpty = true
        while index < text.count {
            if !isTime, text[index] | 0x20 == UInt8(ascii: "t") {
                isTime = true
                index += 1
                guard index < text.count else { return nil }
            }
            guard parts.read(text, at: &index, isTime: isTime) else { return nil }
            isEmpty = false
        }
        guard !isEmpty else { return nil }
        if isNegative, parts.isFiner {
            let (next, overflow) = parts.ticks.addingReportingOverflow(1)
            guard !overflow else { return nil }
            parts.ticks = next
        }
        return IntegerText.signed(parts.ticks, isNegative: isNegative).map { ($0, parts.isFiner) }
    }

    /// The sum of what has been read.
    private struct Parts {
        var ticks: UInt64 = 0
        var isFiner = false
        /// Units come in this order, each once at most.
        private var next = 0

        private static let units: [(letter: UInt8, ticks: Int64)] = [
            (UInt8(ascii: "d"), ClockTime.ticksPerDay), (UInt8(ascii: "h"), ClockTime.ticksPerHour),
            (UInt8(ascii: "m"), ClockTime.ticksPerMinute),
            (UInt8(ascii: "s"), ClockTime.ticksPerSecond),
        ]

        /// Reads a number with its unit and moves past it.
        mutating func read(_ text: Span<UInt8>, at index: inout Int, isTime: Bool) -> Bool {
            let start = index
            while index < text.count, text[index] &- 0x30 < 10 { index += 1 }
            guard let number = IntegerText.magnitude(text, in: start..<index) else { return false }
            var fraction: Int64?
            if index < text.count, text[index] == UInt8(ascii: ".") {
                index += 1
                guard let read = ClockTime.fraction(text, at: &index) else { return false }
                fraction = read.ticks
                isFiner = read.needsExact
            }
            guard index < text.count else { return false }
            let letter = text[index] | 0x20
            index += 1
            // Days stand before the "T", the others after it; only seconds have a fraction.
            guard let unit = Self.units.firstIndex(where: { $0.letter == letter }), unit >= next,
                (unit > 0) == isTime, fraction == nil || unit == 3
            else { return false }
            next = unit + 1
            return add(
                number,
                unit: UInt64(Self.units[unit].ticks),
                fraction: UInt64(fraction ?? 0)
            )
        }

        private mutating func add(_ number: UInt64, unit: UInt64, fraction: UInt64) -> Bool {
            let (product, overflow) = number.multipliedReportingOverflow(by: unit)
            let (sum, carry) = product.addingReportingOverflow(fraction)
            let (total, excess) = ticks.addingReportingOverflow(sum)
            ticks = total
            return !overflow && !carry && !excess
        }
    }

    /// Appends a duration with its largest units first, parts of zero left out.
    static func append(
        _ ticks: Int64,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        if ticks < 0 { output.append(UInt8(ascii: "-")) }
        output.append(UInt8(ascii: "P"))
        let magnitude = ticks.magnitude
        let (days, time) = magnitude.quotientAndRemainder(
            dividingBy: UInt64(ClockTime.ticksPerDay)
        )
        append(days, unit: "D", to: &output)
        guard time != 0 || days == 0 else { return }
        output.append(UInt8(ascii: "T"))
        append(time / UInt64(ClockTime.ticksPerHour), unit: "H", to: &output)
        append(time / UInt64(ClockTime.ticksPerMinute) % 60, unit: "M", to: &output)
        let seconds = time % UInt64(ClockTime.ticksPerMinute)
        guard seconds != 0 || magnitude == 0 else { return }
        let perSecond = UInt64(ClockTime.ticksPerSecond)
        IntegerText.append(seconds / perSecond, to: &output)
        ScaledDecimalText.appendFraction(seconds % perSecond, digits: 7, to: &output)
        output.append(UInt8(ascii: "S"))
    }

    private static func append(
        _ number: UInt64,
        unit: Unicode.Scalar,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        guard number != 0 else { return }
        IntegerText.append(number, to: &output)
        output.append(UInt8(ascii: unit))
    }
}
