/// A day of the proleptic Gregorian calendar and its number counted from 0001-01-01, which is day 0.
@usableFromInline
package struct CalendarDate: Equatable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    /// Years beyond are refused; the standard sets no limit (OData ABNF `year`).
    static let years: ClosedRange<Int64> = -999_999_999...999_999_999

    /// Days from 0000-03-01 to 0001-01-01; years are counted from March, so that the leap day is a year's last.
    private static let daysFromMarchOfYearZero: Int64 = 306
    private static let daysOfEra: Int64 = 146_097

    /// Creates a date; nil where there is no such day.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date of a day number.
    package init(dayNumber: Int64) {
        // Wrapping: a number from a damaged file may be any.
        let shifted = dayNumber &+ Self.daysFromMarchOfYearZero
        if (0..<Self.fewDays).contains(shifted) {
            self.init(daysFromMarchOfYearZero: UInt64(shifted))
        } else {
            self.init(farDaysFromMarchOfYearZero: shifted)
        }
    }

    /// Days for which the arithmetic of 32 bits is exact: beyond the year 2 million.
    private static let fewDays: Int64 = 1 << 30

    /// The date of a day of the common range.
    ///
    /// Remainders come as the low bits of products, so that few divisions are left (Neri and Schneider, "Euclidean affine functions
    /// and their application to calendar algorithms", 2022).
    private init(daysFromMarchOfYearZero days: UInt64) {
        let (century, restOfCentury) = (4 * days + 3).quotientAndRemainder(dividingBy: 146_097)
        let product = (restOfCentury | 3) * 2_939_745
        let dayOfYear = (product & 0xFFFF_FFFF) / 2_939_745 / 4
        let months = 2_141 * dayOfYear + 197_913
        let isNextYear = dayOfYear >= 306
        year = Int64(100 * century + product >> 32) + (isNextYear ? 1 : 0)
        month = Int64(months >> 16) - (isNextYear ? 12 : 0)
        day = Int64((months & 0xFFFF) / 2_141) + 1
    }

    private init(farDaysFromMarchOfYearZero shifted: Int64) {
        let (era, dayOfEra) = shifted.dividedFloor(by: Self.daysOfEra)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of the day.
    package var dayNumber: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.dividedFloor(by: 400).quotient
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOfEra + dayOfEra - Self.daysFromMarchOfYearZero
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2:
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// Divides toward minus infinity; the remainder is not negative.
    @inlinable @inline(__always)
    package func dividedFloor(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension CalendarDate {
    /// Reads `year "-" month "-" day` from a position and moves past it; nil where there is none (OData ABNF `dateValue`).
    static func read(_ text: Span<UInt8>, at index: inout Int) -> CalendarDate? {
        let isNegative = index < text.count && text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var end = index
        while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
        // At least four digits, no zero in front of more (`( "0" 3DIGIT / oneToNine 3*DIGIT )`).
        guard (4...9).contains(end - index), end - index == 4 || text[index] != 0x30,
            let year = IntegerText.magnitude(text, in: index..<end)
        else { return nil }
        index = end
        guard let month = ClockTime.part(text, at: &index, after: "-"),
            let day = ClockTime.part(text, at: &index, after: "-")
        else { return nil }
        return CalendarDate(
            year: isNegative ? -Int64(year) : Int64(year),
            month: Int64(month),
            day: Int64(day)
        )
    }

    /// Appends `year "-" month "-" day`.
    func append(to output: inout some ByteSink & ~Copyable & ~Escapable) {
        if (0...9_999).contains(year) { return appendShort(to: &output) }
        if year < 0 { output.append(UInt8(ascii: "-")) }
        let magnitude = year.magnitude
        IntegerText.append(
            magnitude,
            digits: max(4, IntegerText.digitCount(magnitude)),
            to: &output
        )
        output.append(UInt8(ascii: "-"))
        IntegerText.append(UInt64(month), digits: 2, to: &output)
        output.append(UInt8(ascii: "-"))
        IntegerText.append(UInt64(day), digits: 2, to: &output)
    }

    /// Appends a day of a year of four digits.
    private func appendShort(to output: inout some ByteSink & ~Copyable & ~Escapable) {
        let digits = IntegerText.eightDigits(
            UInt64(year) * 10_000 + UInt64(month) * 100 + UInt64(day)
        )
        let text = digits | 0x3030_3030_3030_3030
        let dash = UInt64(UInt8(ascii: "-"))
        let yearAndMonth = text & 0xFFFF_FFFF | dash << 32 | (text >> 32 & 0xFFFF) << 40
        output.append(word: yearAndMonth | dash << 56, count: 8)
        output.append(word: text >> 48, count: 2)
    }
}
