/// Parts of dates and times (OData 4.01 Part 2 § 5.1.1.6).
extension ScalarFunction {
    static let dates: [ScalarFunction] = [
        // odata_part(ticks, part, exact): the exact text, where there is one, says in which offset the parts are told.
        unsafe ScalarFunction("odata_part", argumentCount: 3) { context, count, values in
            let call = unsafe FunctionCall(context, count, values)
            guard call.isInteger(0), let part = InstantPart(rawValue: call.text(1)) else {
                return call.setNull()
            }
            let offset = call.isText(2) ? Instant.offsetMinutes(inText: call.text(2)) : 0
            call.set(part.value(of: call.integer(0), offsetMinutes: offset))
        }
    ]
}

/// A part of an instant that SQL can ask for.
enum InstantPart: String {
    case year, month, day, hour, minute, second, date, time
    case offset, fraction

    /// The part's value in integer form: days for a date, ticks for a time and for a fraction of a second.
    func value(of ticks: Int64, offsetMinutes: Int64) -> Int64 {
        let local = ticks &+ offsetMinutes * 60 * Instant.ticksPerSecond
        let days = Instant.floorDivide(local, by: Instant.ticksPerDay)
        let time = local - days * Instant.ticksPerDay
        switch self {
        case .year: return Instant.civil(days).year
        case .month: return Instant.civil(days).month
        case .day: return Instant.civil(days).day
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

/// Calendar arithmetic on ticks of 100 ns since 0001-01-01T00:00:00Z.
package enum Instant {
    static let ticksPerSecond: Int64 = 10_000_000
    static let ticksPerDay: Int64 = 86_400 * ticksPerSecond

    static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    /// The Gregorian date of a day counted from 0001-01-01, by the 400-year cycle of 146,097 days beginning in March.
    static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 306
        let era = floorDivide(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The offset that the text of a DateTimeOffset ends with, in minutes.
    static func offsetMinutes(inText text: String) -> Int64 {
        let bytes = Array(text.utf8.suffix(6))
        guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A,
            let hours = Int64(String(decoding: bytes[1...2], as: UTF8.self)),
            let minutes = Int64(String(decoding: bytes[4...5], as: UTF8.self))
        else { return 0 }
        return (bytes[0] == 0x2D ? -1 : 1) * (hours * 60 + minutes)
    }
}

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Instant {
    /// 1970-01-01T00:00:00Z in ticks.
    package static let unixEpoch: Int64 = 621_355_968_000_000_000

    /// The present instant in ticks.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return unixEpoch + Int64(time.tv_sec) * ticksPerSecond + Int64(time.tv_nsec) / 100
    }
}
