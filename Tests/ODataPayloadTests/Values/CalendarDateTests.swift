@testable import ODataValues
import Testing

@Suite struct CalendarDateTests {
    /// Four hundred years day by day, each the day after the one before.
    @Test func countsTheDaysOfAnEra() {
        var (year, month, day): (Int64, Int64, Int64) = (1999, 12, 31)
        let start = CalendarDate(year: year, month: month, day: day)?.dayNumber ?? 0
        var wrong: [Int64] = []
        for number in start...start + 146_097 {
            let date = CalendarDate(dayNumber: number)
            if date != CalendarDate(year: year, month: month, day: day) { wrong.append(number) }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[Int(month) - 1] { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
        #expect(wrong.first == nil)
    }

    /// Both arithmetics, and where one takes over from the other.
    @Test func comesBackToTheNumberFarAndNear() {
        let ends: [Int64] = [-306, 0, 1 << 30, -(1 << 38), 1 << 38]
        var wrong: [Int64] = []
        let steps = stride(from: Int64(-500_000_000), through: 1 << 31, by: 104_729)
        for number in ends.flatMap({ Array($0 - 800...$0 + 800) }) + Array(steps) {
            let date = CalendarDate(dayNumber: number)
            let isSame =
                date.dayNumber == number
                && date == CalendarDate(year: date.year, month: date.month, day: date.day)
            if !isSame { wrong.append(number) }
        }
        #expect(wrong.first == nil)
    }

    @Test(arguments: [Int64.min, .min + 305, .max - 305, .max])
    func endsWithoutATrapForNumbersOfDamagedFiles(_ number: Int64) {
        let date = CalendarDate(dayNumber: number)
        #expect((1...12).contains(date.month) && (1...31).contains(date.day))
    }
}
