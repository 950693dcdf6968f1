import ODataText

/// A time within a day: `hour ":" minute [ ":" second [ "." 1*12DIGIT ] ]` (OData ABNF `timeOfDayValue`).
package struct ClockTime {
    /// Ticks of 100 ns since midnight.
    var ticks: Int64
    /// Whether the text says more than ticks do: finer fractions, a leap second.
    var needsExact: Bool

    static let ticksPerSecond: Int64 = 10_000_000
    static let ticksPerMinute = 60 * ticksPerSecond
    static let ticksPerHour = 60 * ticksPerMinute
    static let ticksPerDay = 24 * ticksPerHour

    /// Digits of a second that a tick can say.
    package static let tickDigits = 7
    /// Most digits of a second (OData ABNF `fractionalSeconds`).
    private static let maximumDigits = 12

    /// Reads a time from a position and moves past it; nil where there is none.
    static func read(_ text: Span<UInt8>, at index: inout Int) -> ClockTime? {
        guard let hour = twoDigits(text, at: &index), hour < 24,
            let minute = part(text, at: &index, after: ":"), minute < 60
        else { return nil }
        var ticks = Int64(hour) * ticksPerHour + Int64(minute) * ticksPerMinute
        guard index < text.count, text[index] == UInt8(ascii: ":") else {
            return ClockTime(ticks: ticks, needsExact: false)
        }
        guard let second = part(text, at: &index, after: ":"), second <= 60 else { return nil }
        ticks += Int64(second) * ticksPerSecond
        guard index < text.count, text[index] == UInt8(ascii: ".") else {
            return ClockTime(ticks: ticks, needsExact: second == 60)
        }
        index += 1
        guard let fraction = fraction(text, at: &index) else { return nil }
        return ClockTime(
            ticks: ticks + fraction.ticks,
            needsExact: fraction.needsExact || second == 60
        )
    }

    /// Reads the digits of a fraction of a second and moves past them.
    static func fraction(
        _ text: Span<UInt8>,
        at index: inout Int
    ) -> (ticks: Int64, needsExact: Bool)? {
        var ticks: Int64 = 0
        var count = 0
        var isFiner = false
        while index < text.count, let digit = ASCII.digit(text[index]) {
            if count < tickDigits {
                ticks = ticks * 10 + Int64(digit)
            } else if digit != 0 {
                isFiner = true
            }
            count += 1
            index += 1
        }
        guard (1...maximumDigits).contains(count) else { return nil }
        if count < tickDigits { ticks *= IntegerText.powerOfTen(tickDigits - count) }
        return (ticks, isFiner)
    }

    /// Appends a time of day with seconds and the fewest digits of a fraction.
    static func append(
        _ ticks: Int64,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        let ticks = ticks.dividedFloor(by: ticksPerDay).remainder
        let (seconds, fraction) = UInt64(ticks).quotientAndRemainder(
            dividingBy: UInt64(ticksPerSecond)
        )
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
        let digits = IntegerText.eightDigits(hour * 1_000_000 + minute * 1_000 + second)
        // Two digits each, and a zero between them that becomes a colon.
        let colons = UInt64(UInt8(ascii: ":") - 0x30)
        output.append(
            word: digits | 0x3030_3030_3030_3030 &+ (colons << 16 | colons << 40),
            count: 8
        )
        ScaledDecimalText.appendFraction(
            fraction,
            digits: tickDigits,
            to: &output
        )
    }

    /// Reads a separator and two digits and moves past them.
    static func part(
        _ text: Span<UInt8>,
        at index: inout Int,
        after separator: Unicode.Scalar
    ) -> Int? {
        guard index < text.count, text[index] == UInt8(ascii: separator) else { return nil }
        index += 1
        return twoDigits(text, at: &index)
    }

    /// Reads two digits and moves past them.
    static func twoDigits(_ text: Span<UInt8>, at index: inout Int) -> Int? {
        guard index + 1 < text.count, let high = ASCII.digit(text[index]),
            let low = ASCII.digit(text[index + 1])
        else { return nil }
        index += 2
        return high * 10 + low
    }
}
