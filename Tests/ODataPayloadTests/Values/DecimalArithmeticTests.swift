import TestSupport
import Testing

@testable import ODataValues

@Suite struct DecimalArithmeticTests {
    private func decimal(_ text: String) throws -> DecimalText {
        let bytes = Array(text.utf8)
        let decimal = DecimalText(bytes.span)
        return try #require(decimal)
    }

    @Test(arguments: [
        ("0.1", "add", "0.2", "0.3"), ("1", "add", "-1", "0"), ("-5", "add", "3", "-2"),
        ("99999999999999999999999999999999.99", "add", "0.01", "100000000000000000000000000000000"),
        ("1e20", "sub", "1", "99999999999999999999"), ("0.1", "sub", "0.10", "0"),
        (
            "123456789012345678901234567890", "mul", "-987654321098765432109876543210",
            "-121932631137021795226185032733622923332237463801111263526900"
        ),
        ("1.10", "mul", "1.10", "1.21"), ("0", "mul", "-7", "0"), ("1", "div", "8", "0.125"),
        ("1", "div", "3", "0.3333333333333333333333333333333333"),
        ("2", "div", "3", "0.6666666666666666666666666666666667"),
        ("-10", "div", "4", "-2.5"), ("1e30", "div", "1e-10", "1e40"), ("0", "div", "5", "0"),
        ("7", "divby", "2", "3.5"),
        ("7", "divby", "0", "INF"), ("-7", "divby", "0", "-INF"), ("0", "divby", "0", "NaN"),
        ("5.5", "mod", "2", "1.5"),
        ("-5.5", "mod", "2", "-1.5"), ("5.5", "mod", "-2", "1.5"), ("INF", "add", "1", "INF"),
        ("INF", "sub", "INF", "NaN"),
        (
            "123456789123456789123456789", "div", "123456789123456789",
            "1000000000.000000000999999999000000"
        ),
        ("1000000000000000000000000000000000000", "mod", "7", "1"),
    ])
    func computesDecimalsExactly(left: String, operation: String, right: String, expected: String)
        throws
    {
        let operation = try #require(ArithmeticOperator(rawValue: operation))
        let result = try decimal(left).applying(operation, decimal(right))
        #expect(result == (try decimal(expected)), "\(result.text)")
    }

    @Test(arguments: ["div", "mod"])
    func refusesDivisionByZero(operation: String) throws {
        let operation = try #require(ArithmeticOperator(rawValue: operation))
        #expect(throws: DecimalText.ArithmeticError.self) {
            try decimal("1").applying(operation, .zero)
        }
    }

    @Test func refusesMoreDigitsThanAStoreKeeps() throws {
        let long = try decimal(String(repeating: "7", count: 900))
        #expect(throws: DecimalText.ArithmeticError.self) { try long.applying(.multiply, long) }
        #expect(throws: DecimalText.ArithmeticError.self) {
            try decimal("1e40000").applying(.add, decimal("1e-40000"))
        }
    }

    @Test(arguments: [
        ("2.5", "round", "3"), ("-2.5", "round", "-3"), ("2.49", "round", "2"),
        ("-0.2", "floor", "-1"),
        ("-0.2", "ceiling", "0"), ("0.2", "ceiling", "1"), ("7", "floor", "7"),
        ("-2.9", "truncate", "-2"), ("2.5", "even", "2"),
        ("1e-40", "ceiling", "1"), ("-1e-40", "floor", "-1"), ("1e-40", "round", "0"),
    ])
    func roundsByEachRule(text: String, rule: String, expected: String) throws {
        let rule = try #require(DecimalText.Rounding(rawValue: rule))
        #expect(try decimal(text).rounded(rule) == decimal(expected))
    }

    @Test func sumsExactly() throws {
        var sum = DecimalSum()
        for _ in 0..<1000 { sum.add(10, scale: 2) }
        sum.add(.max, scale: 0)
        sum.add(.max, scale: 0)
        sum.add(try decimal("0.000000000000000000000000000001"))
        #expect(sum.value?.text == "18446744073709551714.000000000000000000000000000001")
        #expect(sum.count == 1003)
    }

    /// (a + b) - b = a, (a * b) / b = a and a = q * b + r for random numbers.
    @Test func obeysTheLawsOfArithmetic() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<TestScale.size(400, soak: 20_000) {
            func number() -> String {
                let digits = (0..<Int.random(in: 1...16, using: &random))
                    .map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
                let sign = Bool.random(using: &random) ? "-" : ""
                return sign + digits + "e" + String(Int.random(in: -20...20, using: &random))
            }
            let a = try decimal(number())
            let b = try decimal(number())
            #expect(try a.applying(.add, b).applying(.subtract, b) == a)
            guard b != .zero else { continue }
            #expect(try a.applying(.multiply, b).applying(.divide, b) == a)
            let rest = try a.applying(.modulo, b)
            let whole = try a.applying(.subtract, rest).applying(.divide, b)
            #expect(whole.rounded(.truncate) == whole || whole.text.count > 30)
        }
    }
}
