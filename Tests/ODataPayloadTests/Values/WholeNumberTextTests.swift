import ODataValues
import Testing

/// Whole numbers with a fraction or an exponent.
@Suite struct WholeNumberTextTests {
    @Test(
        arguments: [
            ("2.0", "2"), ("1e2", "100"), ("1.0e1", "10"), ("1.50E2", "150"), ("120e-1", "12"),
            ("-0.0", "0"), ("-5.00", "-5"), ("0e999", "0"), ("1e+1", "10"), ("0.5e1", "5"),
            ("1844674407370955161.5e1", "18446744073709551615"),
        ]
    )
    func writesPlainDigits(_ text: String, _ plain: String) {
        #expect(WholeNumberText.plain(text) == plain)
    }

    @Test(
        arguments: [
            "2", "-2", "0", "2.5", "12e-1", "1e21", "1e999999999999", "", "-", ".0", "1.", "1e",
            "e1",
            "1.0x", "0.05e1", "1e-1000",
        ]
    )
    func takesNothingElse(_ text: String) {
        #expect(WholeNumberText.plain(text) == nil)
    }
}
