import ODataValues
import ODataModel
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func putsCommasWhereTheyBelong() {
        let name = JSONName("a\"b")
        let text = written { writer in
            writer.beginObject()
            writer.name(name)
            writer.beginArray()
            writer.integer(1)
            writer.null()
            writer.beginObject()
            writer.endObject()
            writer.boolean(true)
            writer.string("x")
            writer.endArray()
            writer.name("c")
            writer.raw(Array("[1]".utf8).span)
            writer.rawMembers(Array(#""d":1,"e":2"#.utf8))
            writer.rawMembers([])
            writer.name("f")
            writer.beginObject()
            writer.rawMembers(Array(#""g":1"#.utf8))
            writer.endObject()
            writer.endObject()
        }
        #expect(text == #"{"a\"b":[1,null,{},true,"x"],"c":[1],"d":1,"e":2,"f":{"g":1}}"#)
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("a\"b\\c/", #""a\"b\\c/""#),
        ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#),
        ("\u{0}\u{1f}\u{7f}", "\"\\u0000\\u001f\u{7f}\""), ("12345678\"", #""12345678\"""#),
        ("é€😀", "\"é€😀\""),
        ("0123456789abcde\n", #""0123456789abcde\n""#),
    ])
    func escapesStrings(_ text: String, _ expected: String) {
        #expect(written { $0.string(text) } == expected)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var form: ScalarForm
        var scalar: Scalar
        var v4: String
        var ieee: String
        var v2: String

        init(
            _ form: ScalarForm,
            _ scalar: Scalar,
            _ v4: String,
            ieee: String? = nil,
            v2: String? = nil
        ) {
            self.form = form
            self.scalar = scalar
            self.v4 = v4
            self.ieee = ieee ?? v4
            self.v2 = v2 ?? v4
        }

        var testDescription: String { "\(form) \(v4)" }
    }

    static let cases = [
        Case(.boolean, .integer(1), "true"), Case(.integer(.int32), .integer(-7), "-7"),
        Case(
            .integer(.int64),
            .integer(.min),
            "-9223372036854775808",
            ieee: #""-9223372036854775808""#,
            v2: #""-9223372036854775808""#
        ),
        Case(.scaledDecimal(scale: 2), .integer(1_250), "12.5", ieee: #""12.5""#, v2: #""12.5""#),
        Case(.decimalText, .text("25000115"), "1.5", ieee: #""1.5""#, v2: #""1.5""#),
        Case(.decimalText, .text("1"), "0", ieee: #""0""#, v2: #""0""#),
        Case(.decimalText, .text("3"), #""INF""#), Case(.double, .real(0.1), "0.1", v2: #""0.1""#),
        Case(.double, .real(1.0 / 3), "0.3333333333333333", v2: #""0.3333333333333333""#),
        Case(.double, .real(-.infinity), #""-INF""#), Case(.double, .text("NaN"), #""NaN""#),
        Case(.single, .real(Double(Float(0.1))), "0.1", v2: #""0.1""#),
        Case(.string, .text("a\"b"), #""a\"b""#),
        Case(.guid, .blob(Array(0..<16)), #""00010203-0405-0607-0809-0a0b0c0d0e0f""#),
        Case(.binary, .blob([0xFB, 0xFF]), #""-_8=""#, v2: #""+/8=""#),
        Case(.date, .integer(0), #""0001-01-01""#),
        Case(.timeOfDay, .integer(0), #""00:00:00""#, v2: #""PT0S""#),
        Case(.duration, .integer(-10_000_000), #""-PT1S""#),
        Case(
            .dateTimeOffset,
            .integer(0),
            #""0001-01-01T00:00:00Z""#,
            v2: #""/Date(-62135596800000+0000)/""#
        ),
        Case(.json, .text("[1]"), "[1]"), Case(.string, .null, "null"),
    ]

    @Test(arguments: cases)
    func writesValuesOfColumns(_ test: Case) {
        let model = EdmModel(version: .v4)
        #expect(written { $0.value(test.scalar, as: JSONForm(test.form, in: model)) } == test.v4)
        #expect(
            written {
                $0.value(test.scalar, as: JSONForm(test.form, in: model, isIEEE754Compatible: true))
            } == test.ieee
        )
        #expect(
            written { $0.value(test.scalar, as: JSONForm(test.form, in: model, style: .v2)) }
                == test.v2
        )
    }

    @Test(arguments: [
        (ScalarForm.scaledDecimal(scale: 2), "12.50", "12.50"), (.decimalText, "1e2", "1e2"),
        (.double, "-0", "-0"),
        (.decimalText, "+1", #""+1""#), (.decimalText, "007", #""007""#),
        (.dateTimeOffset, "2024-01-01T00:00:00+01:00", #""2024-01-01T00:00:00+01:00""#),
        (.dateTimeOffset, "/Date(3600000+0060)/", #""1970-01-01T01:00:00+01:00""#),
    ])
    func writesExactTexts(_ form: ScalarForm, _ exact: String, _ expected: String) {
        let column = JSONForm(form, in: EdmModel(version: .v4))
        #expect(written { $0.value(.null, exact: exact, as: column) } == expected)
    }

    /// Versions 1 to 3 know neither exponents nor plus signs in decimals.
    @Test(arguments: [
        ("1e2", "100"), ("+1.5", "1.5"), ("-1.25E+1", "-12.5"), ("1.5e-3", "0.0015"), ("1E0", "1"),
        ("12.50", "12.50"), ("0.1e1", "1"),
    ])
    func writesDecimalsOfOldVersionsPlainly(_ exact: String, _ expected: String) {
        for form in [ScalarForm.decimalText, .scaledDecimal(scale: 4)] {
            let text = written { writer in
                writer.exact(
                    Array(exact.utf8).span,
                    as: JSONForm(form, in: EdmModel(version: .v4), style: .v2)
                )
            }
            #expect(text == "\"\(expected)\"")
        }
    }

    @Test func writesMembersOfEnumerations() {
        let model = ShopModel.v4
        let column = JSONForm(.enumeration(EnumTypeID(0)), in: model)
        #expect(written { $0.value(.integer(2), as: column) } == #""Blue""#)
        #expect(written { $0.value(.integer(9), as: column) } == #""9""#)
    }

    @Test func readsBackWhatItWrites() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let scalars = (0..<Int.random(in: 0...30, using: &generator)).map {
                _ -> Unicode.Scalar in
                let limit: UInt32 = Bool.random(using: &generator) ? 0x80 : 0x11_0000
                return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) ?? "?"
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let payload = written { writer in
                writer.beginObject()
                writer.name("Name")
                writer.string(text)
                writer.endObject()
            }
            let lines = try readPayload(payload).lines
            #expect(lines[1].utf8.elementsEqual("  Name '\(text)'".utf8))
        }
    }
}
