import ODataText

/// Instants: `dateValue "T" timeOfDayValue ( "Z" / SIGN hour ":" minute )` (OData ABNF `dateTimeOffsetValue`), the same without
/// an offset (versions 1 to 3 `datetime`, taken as UTC), and `/Date(milliseconds[±minutes])/` of their JSON.
package enum DateTimeText {
    /// An instant as it was read.
    package struct Reading {
        /// Ticks of 100 ns since 0001-01-01T00:00:00Z.
        package var ticks: Int64
        /// Minutes east of UTC.
        package var offset: Int64
        /// Whether the text says more than the ticks do: an offset, finer fractions, a leap second.
        package var needsExact: Bool
    }

    private static let ticksPerMillisecond: Int64 = 10_000

    /// Reads an instant that is the whole text; nil where it is none or does not fit into 64 bits of ticks.
    package static func parse(_ text: Span<UInt8>) -> Reading? {
        if text.count > 0, text[0] == UInt8(ascii: "/") { return parseVerbose(text) }
        var index = 0
        guard let date = CalendarDate.read(text, at: &index), index < text.count,
            text[index] | 0x20 == UInt8(ascii: "t")
        else { return nil }
        index += 1
        guard let time = ClockTime.read(text, at: &index),
            let offset = offset(text, at: &index), index == text.count
        else { return nil }
        let (days, daysOverflow) = date.dayNumber
            .multipliedReportingOverflow(by: ClockTime.ticksPerDay)
        let (ticks, overflow) = days.addingReportingOverflow(
            time.ticks - offset * ClockTime.ticksPerMinute
        )
        guard !daysOverflow, !overflow else { return nil }
        return Reading(
            ticks: ticks,
            offset: offset,
            needsExact: time.needsExact || offset != 0
        )
    }

    /// Reads `Z`, `±hour:minute` or nothing; minutes east of UTC.
    private static func offset(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
        guard index < text.count else { return 0 }
        if text[index] | 0x20 == UInt8(ascii: "z") {
            index += 1
            return 0
        }
        let isNegative = text[index] == UInt8(ascii: "-")
        guard isNegative || text[index] == UInt8(ascii: "+") else { return nil }
        index += 1
        guard let hour = ClockTime.twoDigits(text, at: &index), hour < 24,
            let minute = ClockTime.part(text, at: &index, after: ":"), minute < 60
        else { return nil }
        let minutes = Int64(hour * 60 + minute)
        return isNegative ? -minutes : minutes
    }

    /// Reads `/Date(milliseconds[±minutes])/` (OData 3.0 JSON Verbose § 4.2): what the clock shows at the offset, as if it were UTC,
    /// then the minutes by which it is ahead.
    ///
    /// The standard does not say of which clock the milliseconds are. The services that write an offset other than 0, Microsoft's and
    /// SAP's Java ones, mean the local one.
    private static func parseVerbose(_ text: Span<UInt8>) -> Reading? {
        guard text.starts(with: "/Date("), text.count > 8,
            text.starts(with: ")/", at: text.count - 2)
        else { return nil }
        let end = text.count - 2
        var split = 7
        while split < end, text[split] != UInt8(ascii: "+"), text[split] != UInt8(ascii: "-") {
            split += 1
        }
        guard let milliseconds = IntegerText.parse(text, in: 6..<split) else { return nil }
        var offset: Int64 = 0
        if split < end {
            guard let minutes = IntegerText.parse(text, in: split..<end), abs(minutes) < 24 * 60
            else { return nil }
            offset = minutes
        }
        let (sinceEpoch, overflow) = milliseconds.multipliedReportingOverflow(
            by: ticksPerMillisecond
        )
        let (local, carry) = sinceEpoch.addingReportingOverflow(Instant.unixEpoch)
        let (ticks, borrow) = local.subtractingReportingOverflow(
            offset * ClockTime.ticksPerMinute
        )
        guard !overflow, !carry, !borrow else { return nil }
        return Reading(ticks: ticks, offset: offset, needsExact: offset != 0)
    }

    /// Appends an instant in UTC, with seconds and the fewest digits of a fraction.
    static func append(
        _ ticks: Int64,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        appendWithoutOffset(ticks, to: &output)
        output.append(UInt8(ascii: "Z"))
    }

    /// Appends date and time alone.
    package static func appendWithoutOffset(
        _ ticks: Int64,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        let (days, time) = ticks.dividedFloor(by: ClockTime.ticksPerDay)
        CalendarDate(dayNumber: days).append(to: &output)
        output.append(UInt8(ascii: "T"))
        ClockTime.append(time, to: &output)
    }

    /// Appends an instant as seen at an offset.
    package static func append(
        _ ticks: Int64,
        offset: Int64,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        guard offset != 0 else { return append(ticks, to: &output) }
        let (local, overflow) = ticks.addingReportingOverflow(offset * ClockTime.ticksPerMinute)
        guard !overflow else { return append(ticks, to: &output) }
        appendWithoutOffset(local, to: &output)
        output.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        IntegerText.append(offset.magnitude / 60, digits: 2, to: &output)
        output.append(UInt8(ascii: ":"))
        IntegerText.append(offset.magnitude % 60, digits: 2, to: &output)
    }

    /// Appends `/Date(milliseconds)/`, with the offset in four digits where there is one, and then the milliseconds of the clock there;
    /// finer fractions are cut.
    static func appendVerbose(
        _ ticks: Int64,
        offset: Int64?,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        output.append(short: "/Date(")
        let local = ticks.addingReportingOverflow((offset ?? 0) * ClockTime.ticksPerMinute)
        let milliseconds = (local.overflow ? ticks : local.partialValue)
            .dividedFloor(by: ticksPerMillisecond).quotient
        IntegerText.append(milliseconds - Instant.unixEpoch / ticksPerMillisecond, to: &output)
        if let offset {
            output.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            IntegerText.append(offset.magnitude, digits: 4, to: &output)
        }
        output.append(short: ")/")
    }
}
