import ODataValues
import TestSupport
import Testing

@Suite struct DecimalTextTests {
    /// In the order of the numbers.
    static let ascending = [
        "-INF", "-9e6000", "-1234567890123456789012345678901234", "-100.01", "-100", "-99.9", "-10",
        "-2",
        "-1.51", "-1.5", "-1.05", "-1", "-0.9", "-0.1", "-0.09", "-1e-6000", "0", "1e-6000", "0.01",
        "0.011", "0.1", "0.11", "0.2", "1", "1.05", "1.5", "1.51", "2", "9.99", "10", "11", "99.9",
        "100", "9007199254740993", "1234567890123456789012345678901234", "9e6000", "INF", "NaN",
    ]

    @Test func bytesCompareAsTheNumbersDo() throws {
        let values = try Self.ascending.map { try #require(decimal($0)) }
        for (index, left) in values.enumerated() {
            for (other, right) in values.enumerated() {
                #expect(
                    (left < right) == (index < other),
                    "\(Self.ascending[index]) \(Self.ascending[other])"
                )
                #expect((left == right) == (index == other))
            }
        }
    }

    @Test func comparesRandomNumbersAsIntegersDo() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let scale = Int.random(in: 0...18, using: &generator)
            let bits = Int.random(in: 0...63, using: &generator)
            let left = Int64(bitPattern: generator.next()) >> Int64(bits)
            let right =
                Bool.random(using: &generator)
                ? left + 1 : Int64(bitPattern: generator.next()) >> Int64(bits)
            let (a, b) = (DecimalText(left, scale: scale), DecimalText(right, scale: scale))
            #expect((a < b) == (left < right))
            #expect((a == b) == (left == right))
            #expect(a.scaled(scale)?.value == left)
            #expect(decimal(a.text) == a)
            #expect(DecimalText(encoded: a.encoded) == a)
        }
    }

    @Test(arguments: ["1.00", "001", "1e0", "+1", "10e-1", "0.1e1"])
    func equalNumbersHaveEqualTexts(_ text: String) {
        #expect(decimal(text) == DecimalText(1))
    }

    @Test(arguments: [
        (0.1, "0.1"), (1e22, "10000000000000000000000"), (-2.5, "-2.5"),
        (Double.leastNonzeroMagnitude, "5e-324"),
    ])
    func takesFloatingPointNumbers(_ value: Double, _ text: String) {
        #expect(DecimalText(value).text == text)
    }

    @Test(arguments: [
        "", "2", "250001", "25000110", "2500010", "0499988", "049998~", "1x", "5", "2abcde1",
    ])
    func refusesWhatIsNotInItsForm(_ text: String) {
        #expect(DecimalText(encoded: text) == nil)
    }

    @Test func readsUpToItsLimitOfDigits() {
        let digits = Array(repeating: UInt8(ascii: "7"), count: DecimalText.maximumDigits)
        #expect(decimal(digits) != nil)
        #expect(decimal(digits + [UInt8(ascii: "7")]) == nil)
    }

    @Test func cutsTowardMinusInfinityWhenScaled() throws {
        let value = try #require(decimal("-1.005"))
        #expect(value.scaled(2)?.value == -101)
        #expect(value.scaled(2)?.isExact == false)
        #expect(value.scaled(3)?.value == -1_005)
        #expect(value.scaled(3)?.isExact == true)
    }
}
