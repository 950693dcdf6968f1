import ODataValues
import ODataModel
import Testing

/// Text in, scalar, text out.
@Suite struct ScalarFormTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var form: ScalarForm
        var text: String
        var scalar: Scalar
        /// What is written; nil where it is what was read.
        var canonical: String?
        var needsExact = false

        var testDescription: String { "\(form) \(text)" }

        init(
            _ form: ScalarForm,
            _ text: String,
            _ scalar: Scalar,
            canonical: String? = nil,
            needsExact: Bool = false
        ) {
            self.form = form
            self.text = text
            self.scalar = scalar
            self.canonical = canonical
            self.needsExact = needsExact
        }
    }

    static let tick: Int64 = 1
    static let second: Int64 = 10_000_000
    static let day: Int64 = 86_400 * second
    static let dateTimeOffset = ScalarForm.dateTimeOffset

    static let numbers: [Case] = [
        Case(.boolean, "true", .integer(1)), Case(.boolean, "false", .integer(0)),
        Case(.boolean, "TRUE", .integer(1), canonical: "true"),
        Case(.integer(.byte), "0", .integer(0)), Case(.integer(.byte), "255", .integer(255)),
        Case(.integer(.sbyte), "-128", .integer(-128)),
        Case(.integer(.sbyte), "127", .integer(127)),
        Case(.integer(.int16), "-32768", .integer(-32_768)),
        Case(.integer(.int16), "32767", .integer(32_767)),
        Case(.integer(.int32), "-2147483648", .integer(-2_147_483_648)),
        Case(.integer(.int32), "2147483647", .integer(2_147_483_647)),
        Case(.integer(.int64), "-9223372036854775808", .integer(.min)),
        Case(.integer(.int64), "9223372036854775807", .integer(.max)),
        Case(.integer(.int64), "+7", .integer(7), canonical: "7"),
        Case(.double, "0", .real(0)), Case(.double, "-0", .real(-0.0), needsExact: true),
        Case(.double, "0.1", .real(0.1)), Case(.double, "5e-324", .real(.leastNonzeroMagnitude)),
        Case(.double, "1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
        Case(.double, "-2.2250738585072014e-308", .real(-2.2250738585072014e-308)),
        Case(.double, "123456789.125", .real(123_456_789.125)),
        Case(.double, "1E+3", .real(1_000), canonical: "1000"),
        Case(.double, "0.30000000000000004", .real(0.1 + 0.2)),
        Case(.double, "1e16", .real(1e16)), Case(.double, "1e300", .real(1e300)),
        Case(.double, "INF", .real(.infinity)), Case(.double, "-INF", .real(-.infinity)),
        Case(.double, "NaN", .text("NaN")),
        Case(.single, "0.1", .real(Double(Float(0.1)))),
        Case(.single, "3.4028235e38", .real(Double(Float.greatestFiniteMagnitude))),
        Case(.single, "1e-45", .real(Double(Float.leastNonzeroMagnitude))),
        Case(.single, "16777216", .real(16_777_216)),
        Case(.single, "NaN", .text("NaN")), Case(.single, "-INF", .real(-.infinity)),
        Case(.scaledDecimal(scale: 2), "12.5", .integer(1_250)),
        Case(.scaledDecimal(scale: 2), "12.50", .integer(1_250), needsExact: true),
        Case(.scaledDecimal(scale: 2), "-0.01", .integer(-1)),
        Case(.scaledDecimal(scale: 2), "-0", .integer(0), needsExact: true),
        Case(.scaledDecimal(scale: 2), "1e2", .integer(10_000), needsExact: true),
        Case(.scaledDecimal(scale: 2), "0.019", .integer(1), needsExact: true),
        Case(.scaledDecimal(scale: 2), "-0.019", .integer(-2), needsExact: true),
        Case(.scaledDecimal(scale: 0), "999999999999999999", .integer(999_999_999_999_999_999)),
        Case(.scaledDecimal(scale: 18), "-0.000000000000000001", .integer(-1)),
        Case(.decimalText, "0", .text("1")), Case(.decimalText, "1.5", .text("25000115")),
        Case(.decimalText, "-1.5", .text("04999884~")),
        Case(.decimalText, "0.001", .text("2499981")),
        Case(
            .decimalText,
            "1234567890123456789012345678901234",
            .text("2500341234567890123456789012345678901234")
        ),
        Case(
            .decimalText,
            "-0.1234567890123456789012345678901234",
            .text("0499998765432109876543210987654321098765~")
        ),
        Case(.decimalText, "100", .text("2500031")),
        Case(.decimalText, "1.0", .text("2500011"), needsExact: true),
        Case(.decimalText, "9.9e6144", .text("25614599")),
        Case(.decimalText, "INF", .text("3")), Case(.decimalText, "-INF", .text("/")),
        Case(.decimalText, "NaN", .text("4")),
    ]

    static let others: [Case] = [
        Case(.string, "", .text("")), Case(.string, "a\u{0}b", .text("a\u{0}b")),
        Case(.string, "e\u{301}", .text("e\u{301}")), Case(.string, "👩‍🚀", .text("👩‍🚀")),
        Case(
            .guid,
            "01234567-89ab-cdef-0123-456789abcdef",
            .blob([
                1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD,
                0xEF,
            ])
        ),
        Case(
            .guid,
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            .blob(Array(repeating: 255, count: 16)),
            canonical: "ffffffff-ffff-ffff-ffff-ffffffffffff"
        ),
        Case(.binary, "", .blob([])), Case(.binary, "Zg==", .blob([0x66])),
        Case(.binary, "Zg", .blob([0x66]), canonical: "Zg=="),
        Case(.binary, "Zm8=", .blob([0x66, 0x6F])),
        Case(.binary, "Zm9v", .blob([0x66, 0x6F, 0x6F])),
        Case(.binary, "-_-_", .blob([0xFB, 0xFF, 0xBF])),
        Case(.binary, "+/+/", .blob([0xFB, 0xFF, 0xBF]), canonical: "-_-_"),
        Case(.date, "0001-01-01", .integer(0)), Case(.date, "9999-12-31", .integer(3_652_058)),
        Case(.date, "1970-01-01", .integer(719_162)), Case(.date, "2000-02-29", .integer(730_178)),
        Case(.date, "0000-12-31", .integer(-1)), Case(.date, "-0001-12-31", .integer(-367)),
        Case(.date, "12345-06-07", .integer(4_508_710)),
        Case(.timeOfDay, "00:00:00", .integer(0)),
        Case(.timeOfDay, "13:20", .integer(48_000 * second), canonical: "13:20:00"),
        Case(.timeOfDay, "23:59:59.9999999", .integer(day - 1)),
        Case(.timeOfDay, "23:59:59.999999999999", .integer(day - 1), needsExact: true),
        Case(.timeOfDay, "PT13H20M", .integer(48_000 * second), canonical: "13:20:00"),
        Case(.duration, "PT0S", .integer(0)),
        Case(.duration, "PT13H20M", .integer(48_000 * second)),
        Case(.duration, "-P1DT2H3M4.5S", .integer(-(day + 7_384 * second + second / 2))),
        Case(.duration, "P0DT36H", .integer(day + day / 2), canonical: "P1DT12H"),
        Case(.duration, "P12D", .integer(12 * day)),
        Case(.duration, "PT0.00000001S", .integer(0), needsExact: true),
        Case(.duration, "-PT0.00000001S", .integer(-1), needsExact: true),
        Case(.duration, "-P10675199DT2H48M5.4775808S", .integer(.min)),
        Case(dateTimeOffset, "0001-01-01T00:00:00Z", .integer(0)),
        Case(dateTimeOffset, "9999-12-31T23:59:59.9999999Z", .integer(3_652_059 * day - 1)),
        Case(
            dateTimeOffset,
            "0001-01-01T00:00:00+14:00",
            .integer(-50_400 * second),
            needsExact: true
        ),
        Case(
            dateTimeOffset,
            "0001-01-01T00:00:00-14:00",
            .integer(50_400 * second),
            needsExact: true
        ),
        Case(
            dateTimeOffset,
            "9999-12-31T23:59:59-14:00",
            .integer(3_652_059 * day - second + 50_400 * second),
            needsExact: true
        ),
        Case(
            dateTimeOffset,
            "9999-12-31T23:59:59+14:00",
            .integer(3_652_059 * day - second - 50_400 * second),
            needsExact: true
        ),
        Case(
            dateTimeOffset,
            "2012-09-03T13:52Z",
            .integer(734_748 * day + 49_920 * second),
            canonical: "2012-09-03T13:52:00Z"
        ),
        Case(
            dateTimeOffset,
            "2012-09-03T13:52:00.5000000Z",
            .integer(734_748 * day + 49_920 * second + second / 2),
            canonical: "2012-09-03T13:52:00.5Z"
        ),
        Case(
            dateTimeOffset,
            "2012-09-03T13:52:00",
            .integer(734_748 * day + 49_920 * second),
            canonical: "2012-09-03T13:52:00Z"
        ),
        Case(
            dateTimeOffset,
            "2012-09-03T13:52:00+00:00",
            .integer(734_748 * day + 49_920 * second),
            canonical: "2012-09-03T13:52:00Z"
        ),
        Case(
            dateTimeOffset,
            "2012-09-03T13:52:00.123456789012Z",
            .integer(734_748 * day + 49_920 * second + 1_234_567),
            needsExact: true
        ),
        Case(dateTimeOffset, "1972-06-30T23:59:60Z", .integer(720_074 * day), needsExact: true),
        Case(
            dateTimeOffset,
            "/Date(0)/",
            .integer(719_162 * day),
            canonical: "1970-01-01T00:00:00Z"
        ),
        Case(
            dateTimeOffset,
            "/Date(-1)/",
            .integer(719_162 * day - 10_000),
            canonical: "1969-12-31T23:59:59.999Z"
        ),
        Case(
            dateTimeOffset,
            "/Date(0-0090)/",
            .integer(719_162 * day + 5_400 * second),
            canonical: "1970-01-01T00:00:00-01:30",
            needsExact: true
        ),
        Case(.json, #"{"type":"Point"}"#, .text(#"{"type":"Point"}"#)),
    ]

    @Test(arguments: numbers + others)
    func readsAndWrites(_ test: Case) throws {
        let model = EdmModel(version: .v4)
        let parsed = try #require(parse(test.text, test.form))
        #expect(parsed == ParsedScalar(test.scalar, needsExact: test.needsExact))
        var output: [UInt8] = []
        let exact = parsed.needsExact ? test.text : nil
        test.form.write(parsed.scalar, exact: exact, in: model, into: &output)
        #expect(String(decoding: output, as: UTF8.self) == test.canonical ?? test.text)
    }

    @Test(arguments: numbers + others)
    func readsWhatItWrites(_ test: Case) throws {
        let model = EdmModel(version: .v4)
        for style in [ScalarStyle.v4, .v2, .v2DateTime] {
            var output: [UInt8] = []
            test.form.write(test.scalar, in: model, style: style, into: &output)
            let again = try #require(parse(String(decoding: output, as: UTF8.self), test.form))
            if test.form == .dateTimeOffset, style != .v4 { continue }
            #expect(again.scalar == test.scalar)
        }
    }

    static let refusals: [(ScalarForm, [String])] = [
        (.boolean, ["", "yes", "truE1", "2", "null"]),
        (.integer(.byte), ["-1", "256", "", "-", "1.0", "1e1", " 1", "1 ", "0x1"]),
        (.integer(.sbyte), ["-129", "128"]), (.integer(.int16), ["32768", "-32769"]),
        (.integer(.int32), ["2147483648", "-2147483649"]),
        (
            .integer(.int64),
            ["9223372036854775808", "-9223372036854775809", "99999999999999999999999"]
        ),
        (
            .double,
            [
                "", ".", "1.", ".5", "1e", "1e+", "inf", "nan", "+INF", "1e999", "1_0", "0x1p3",
                "--1",
            ]
        ),
        (.single, ["1e39", "3.5e38", "-1e300"]),
        (.scaledDecimal(scale: 2), ["1e30", "92233720368547758.08", "1.2.3", "NaN", "INF"]),
        (.decimalText, ["", "1.", "abc", "1e60000", "1e99999999999999999999", "+INF"]),
        (
            .guid,
            [
                "", "01234567-89ab-cdef-0123-456789abcde", "01234567-89ab-cdef-0123-456789abcdeg",
                "0123456789abcdef0123456789abcdef", "01234567-89ab-cdef-0123_456789abcdef",
            ]
        ),
        (.binary, ["A", "Zh==", "Zm9=", "Z===", "Zg=", "Zm9v=", "Zm 9v", "====", "="]),
        (
            .date,
            [
                "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-04-31", "2024-1-1",
                "02024-01-01", "24-01-01", "2024-01-01T", "9999999999-01-01", "",
            ]
        ),
        (
            .timeOfDay,
            [
                "24:00:00", "23:60", "12", "12:00:00.", "12:00:00.1234567890123", "PT24H",
                "-PT1H", "23:59:60",
            ]
        ),
        (
            .duration,
            [
                "P", "PT", "P1Y", "P1M", "PT1D", "P1H", "PT1M1H", "PT1S1S", "PT1.5M", "1D",
                "P10675200D", "PT.5S", "P1DT",
            ]
        ),
        (
            .dateTimeOffset,
            [
                "2012-09-03", "2012-09-03T24:00Z", "2012-09-03T13:52:00Zx",
                "2012-09-03T13:52+24:00", "2012-09-03T13:52+1:00", "2012-09-03T23:59+01%3A00",
                "INF", "/Date()/", "/Date(1", "/Date(a)/", "/Date(1+)/",
                "/Date(99999999999999999999)/",
                "/Date(9223372036854775807)/", "99999-01-01T00:00:00Z", "2012-13-03T00:00Z",
            ]
        ),
    ]

    @Test(arguments: refusals.flatMap { form, texts in texts.map { (form, $0) } })
    func refusesMalformedTextsOfAForm(_ form: ScalarForm, _ text: String) {
        #expect(parse(text, form) == nil)
    }

    @Test func refusesStringsThatAreNotUTF8() {
        let bytes: [UInt8] = [0x61, 0xC0, 0x80]
        #expect(parse(bytes, .string) == nil)
    }

    static let oldSpellings: [(ScalarForm, Scalar, String?, ScalarStyle, String)] = [
        (.timeOfDay, .integer(48_000 * second), nil, .v2, "PT13H20M"),
        (.dateTimeOffset, .integer(719_162 * day + second), nil, .v2, "/Date(1000+0000)/"),
        (.dateTimeOffset, .integer(719_162 * day + second), nil, .v2DateTime, "/Date(1000)/"),
        (
            .dateTimeOffset, .integer(719_162 * day), "1970-01-01T02:00:00+02:00", .v2,
            "/Date(7200000+0120)/"
        ),
        (
            .dateTimeOffset, .integer(719_162 * day), "/Date(7200000+0120)/", .v4,
            "1970-01-01T02:00:00+02:00"
        ),
        (.binary, .blob([0xFB, 0xFF, 0xBF]), nil, .v2, "+/+/"),
        (.timeOfDay, .integer(0), "PT0.00000001S", .v4, "00:00:00"),
    ]

    @Test(arguments: oldSpellings)
    func writesInTheStyleOfAVersion(
        _ form: ScalarForm,
        _ scalar: Scalar,
        _ exact: String?,
        _ style: ScalarStyle,
        _ expected: String
    ) {
        var output: [UInt8] = []
        form.write(scalar, exact: exact, in: EdmModel(version: .v2), style: style, into: &output)
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }
}
