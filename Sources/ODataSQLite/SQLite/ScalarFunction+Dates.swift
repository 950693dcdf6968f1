import ODataValues

/// Parts of dates and times (OData 4.01 Part 2 § 5.1.1.6).
extension ScalarFunction {
    static let dates: [ScalarFunction] = [
        // odata_part(ticks, part, exact): the offset of the exact text, if there is one, is that of the parts.
        unsafe ScalarFunction("odata_part", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0), let part = InstantPart(rawValue: call.text(1)) else {
                return call.setNull()
            }
            let offset = call.isText(2) ? Self.offset(inText: call.text(2)) : 0
            call.set(part.value(of: call.integer(0), offsetMinutes: offset))
        }
    ]

    /// Minutes east of UTC in the text of an instant.
    private static func offset(inText text: String) -> Int64 {
        DateTimeText.parse(Array(text.utf8).span)?.offset ?? 0
    }
}

/// A part of an instant that SQL can ask for.
enum InstantPart: String {
    case year, month, day, hour, minute, second, date, time
    case offset, fraction

    /// The part's value in integer form: days for a date, ticks for a time and for a fraction of a second.
    func value(of ticks: Int64, offsetMinutes: Int64) -> Int64 {
        let local = ticks &+ offsetMinutes * 60 * Instant.ticksPerSecond
        let (days, time) = local.dividedFloor(by: Instant.ticksPerDay)
        switch self {
        case .year: return CalendarDate(dayNumber: days).year
        case .month: return CalendarDate(dayNumber: days).month
        case .day: return CalendarDate(dayNumber: days).day
        case .hour: return time / (3600 * Instant.ticksPerSecond)
        case .minute: return time / (60 * Instant.ticksPerSecond) % 60
        case .second: return time / Instant.ticksPerSecond % 60
        case .fraction: return time % Instant.ticksPerSecond
        case .date: return days
        case .time: return time
        case .offset: return offsetMinutes
        }
    }
}
