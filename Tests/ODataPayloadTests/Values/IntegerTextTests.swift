import Testing

@testable import ODataValues

@Suite struct IntegerTextTests {
    /// Around every power of ten.
    private static let numbers: [UInt64] = {
        var numbers: [UInt64] = [0, 1, 12_345_678, 1_234_567_890_123_456_789, .max, .max - 1]
        var power: UInt64 = 1
        for _ in 0..<19 {
            power *= 10
            numbers += [power - 1, power, power + 1, power / 10 * 9]
        }
        return numbers
    }()

    @Test(arguments: numbers)
    func writesDigits(_ number: UInt64) {
        var text: [UInt8] = []
        IntegerText.append(number, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == String(number))
        #expect(IntegerText.digitCount(number) == String(number).utf8.count)
    }

    @Test func writesEveryNumberOfFourDigitsWithZerosInFront() {
        for number in 0..<10_000 {
            var text: [UInt8] = []
            IntegerText.append(UInt64(number), digits: 4, to: &text)
            let digits = String(number)
            let expected = String(repeating: "0", count: 4 - digits.utf8.count) + digits
            guard String(decoding: text, as: UTF8.self) == expected else {
                Issue.record("\(number) is written \(String(decoding: text, as: UTF8.self))")
                return
            }
        }
    }

    @Test func writesTheSmallestNumber() {
        var text: [UInt8] = []
        IntegerText.append(Int64.min, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == "-9223372036854775808")
    }
}
