import ODataValues
import ODataModel

/// JSON texts of primitive values: both ends of each range, and what is easily got wrong.
enum ScalarSamples {
    static func text(
        _ form: ScalarForm,
        _ facets: Facets,
        _ style: EntitySamples.Style,
        _ model: EdmModel
    ) -> String {
        switch form {
        case .boolean: pick(style, "false", "true", "true")
        case .integer(let type): integer(type, style)
        case .single: pick(style, "-3.4028235e38", "1e-45", "-0.0")
        case .double: pick(style, "-1.7976931348623157e308", "5e-324", "\"NaN\"")
        case .scaledDecimal(let scale): decimal(facets.precision ?? scale + 1, scale, style)
        case .decimalText: openDecimal(style)
        case .string: pick(style, "\"\"", "\"a\\u0000b\\\"\\\\\\u00e9\u{1F600}\"", "\"e\u{301}\"")
        case .guid:
            pick(
                style,
                "\"00000000-0000-0000-0000-000000000000\"",
                "\"ffffffff-ffff-ffff-ffff-ffffffffffff\"",
                "\"01234567-89ab-cdef-0123-456789abcdef\""
            )
        case .binary: pick(style, "\"\"", "\"_-8=\"", "\"AAEC\"")
        case .date: pick(style, "\"0001-01-01\"", "\"9999-12-31\"", "\"2024-02-29\"")
        case .timeOfDay: pick(style, "\"00:00:00\"", "\"23:59:59.9999999\"", "\"12:00:00.1\"")
        case .duration:
            pick(
                style,
                "\"-P10675199DT2H48M5.4775807S\"",
                "\"P10675199DT2H48M5.4775807S\"",
                "\"-PT0.1S\""
            )
        case .dateTimeOffset:
            pick(
                style,
                "\"0001-01-01T00:00:00+14:00\"",
                "\"9999-12-31T23:59:59.9999999-14:00\"",
                "\"2024-02-29T12:00:00.123456789012Z\""
            )
        case .enumeration(let id): enumeration(model[id], style)
        case .json:
            pick(
                style,
                "{\"type\":\"Point\",\"coordinates\":[-180.0, 90.00]}",
                "[1.10,{\"a\":null}]",
                "\"plain\""
            )
        }
    }

    private static func pick(
        _ style: EntitySamples.Style,
        _ lowest: String,
        _ highest: String,
        _ odd: String
    ) -> String {
        switch style {
        case .lowest, .null: lowest
        case .highest: highest
        case .odd: odd
        }
    }

    private static func integer(_ type: PrimitiveType, _ style: EntitySamples.Style) -> String {
        switch type {
        case .byte: pick(style, "0", "255", "7")
        case .sbyte: pick(style, "-128", "127", "0")
        case .int16: pick(style, "-32768", "32767", "-1")
        case .int32: pick(style, "-2147483648", "2147483647", "0")
        default: pick(style, "-9223372036854775808", "9223372036854775807", "9007199254740993")
        }
    }

    private static func decimal(_ precision: Int, _ scale: Int, _ style: EntitySamples.Style)
        -> String
    {
        let nines = String(repeating: "9", count: max(precision - scale, 0))
        let whole = nines.isEmpty ? "0" : nines
        guard scale > 0 else { return pick(style, "-" + whole, whole, "0") }
        let fraction = String(repeating: "9", count: scale)
        return pick(
            style,
            "-\(whole).\(fraction)",
            "\(whole).\(fraction)",
            "0." + String(repeating: "0", count: scale)
        )
    }

    private static func openDecimal(_ style: EntitySamples.Style) -> String {
        pick(
            style,
            "-9999999999999999999999999999999999",
            "1234567890123456789012345678901.230",
            "0.0000000000000000000000000000000001"
        )
    }

    /// By name, a combination where members are flags, and a member that the model does not know.
    private static func enumeration(_ type: EnumType, _ style: EntitySamples.Style) -> String {
        guard let first = type.members.first, let last = type.members.last else {
            return "\"Unknown\""
        }
        if style == .odd { return "\"NoSuchMember\"" }
        return style == .highest ? "\"\(last.name)\"" : "\"\(first.name)\""
    }
}
