import ODataValues
@testable import ODataSQLite
import Testing

@Suite struct ScalarFunctionTests {
    private func value(_ expression: String) throws -> Scalar? {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        return try connection.firstRow("SELECT " + expression) { $0.scalar(0) }
    }

    @Test(arguments: [
        ("odata_step(150, 100, 'round')", 200), ("odata_step(149, 100, 'round')", 100),
        ("odata_step(-150, 100, 'round')", -200), ("odata_step(-149, 100, 'round')", -100),
        ("odata_step(-151, 100, 'floor')", -200), ("odata_step(-151, 100, 'ceiling')", -100),
        ("odata_step(151, 100, 'floor')", 100), ("odata_step(151, 100, 'ceiling')", 200),
        ("odata_step(200, 100, 'floor')", 200), ("odata_step(200, 100, 'ceiling')", 200),
        ("odata_whole(9223372036854775806 + 1)", Int64.max),
        ("odata_parse('2024-01-01', 'date') - odata_parse('2023-12-31', 'date')", 1),
        ("odata_parse('1.50', 'scaled2')", 150),
        ("odata_list('hassubsequence', '[1,2,3]', '[1,3]')", 1),
        ("odata_list('hassubsequence', '[1,2,3]', '[3,1]')", 0),
        ("odata_list('hassubsequence', '[]', '[]')", 1),
        ("odata_list('hassubsequence', '[\"a,b\",\"]\"]', '[\"]\"]')", 1),
    ])
    func answersNumbers(expression: String, expected: Int64) throws {
        #expect(try value(expression) == .integer(expected))
    }

    @Test(arguments: [
        ("odata_text(150, 'scaled2')", "1.5"), ("odata_text(1, 'boolean')", "true"),
        (
            "odata_text(x'00000000000040008000000000000001', 'guid')",
            "00000000-0000-4000-8000-000000000001"
        ),
        ("odata_text(odata_parse('12.5', 'decimal'), 'decimal')", "12.5"),
    ])
    func answersTexts(expression: String, expected: String) throws {
        #expect(try value(expression) == .text(expected))
    }

    @Test(arguments: [
        "odata_parse('x', 'date')", "odata_parse('300', 'Edm.Byte')", "odata_parse(NULL, 'date')",
        "odata_step(NULL, 1, 'floor')",
    ])
    func answersNull(expression: String) throws {
        #expect(try value(expression) == .null)
    }

    @Test func readsGuidsAsBytes() throws {
        #expect(
            try value("odata_parse('00000000-0000-4000-8000-000000000001', 'guid')")
                == .blob([0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1])
        )
    }

    @Test(arguments: ["odata_whole(9223372036854775807 + 1)", "odata_matches('a', '(')"])
    func refusesAsAFaultOfTheRequest(expression: String) throws {
        let error = #expect(throws: SQLiteError.self) { try value(expression) }
        #expect(error?.isFaultOfRequest == true)
    }

    /// Texts that say no more than the stored integer, and such of which it is only the beginning.
    @Test(arguments: [
        ("12.50", 1250, 2), ("-12.50", -1250, 2), ("7", 700, 2), ("12.5000", 1250, 2),
        ("125e-1", 1250, 2), ("999999999999999999", 999_999_999_999_999_999, 0), ("word", 5, 2),
        ("", 5, 2), ("-", 5, 2),
    ])
    func findsNoDigitsCutOff(text: String, stored: Int, scale: Int) throws {
        #expect(try value(cut(text, stored, scale)) == .null)
    }

    /// Most rows have no exact text, or one of another column.
    @Test(arguments: ["NULL", "'{}'", #"'{"Other":"12.501"}'"#])
    func findsNoDigitsCutOffOfAnotherValue(texts: String) throws {
        #expect(try value("odata_cut(\(texts), '\"A\":\"', 1250, 2)") == .null)
    }

    private func cut(_ text: String, _ stored: Int, _ scale: Int) -> String {
        #"odata_cut('{"AA":"5.001","A":"\#(text)","B":"1.5"}', '"A":"', \#(stored), \#(scale))"#
    }

    @Test(arguments: [
        ("12.501", 1250, 2), ("-12.501", -1251, 2), ("0.001", 0, 2), ("125001e-4", 1250, 2),
        ("12.500000000000000000001", 1250, 2), ("9999999999999999999", 999_999_999_999_999_999, 0),
    ])
    func tellsAValueOfWhichDigitsAreCutOff(text: String, stored: Int, scale: Int) throws {
        #expect(
            try value("\(cut(text, stored, scale)) = odata_parse('\(text)', 'decimal')")
                == .integer(1)
        )
    }

    @Test func ordersDecimalsAsNumbers() throws {
        #expect(try value("odata_decimal(-5, 1) < odata_decimal(12, 2)") == .integer(1))
        #expect(try value("odata_real(odata_decimal(125, 1))") == .real(12.5))
    }
}
