import ODataValues
import ODataModel

// Spans cannot pass through the macros of the tests.

func parse(
    _ text: String,
    _ form: ScalarForm,
    _ model: EdmModel = EdmModel(version: .v4)
) -> ParsedScalar? {
    parse(Array(text.utf8), form, model)
}

func parse(
    _ bytes: [UInt8],
    _ form: ScalarForm,
    _ model: EdmModel = EdmModel(version: .v4)
) -> ParsedScalar? {
    form.parse(bytes.span, in: model)
}

func decimal(_ text: String) -> DecimalText? { decimal(Array(text.utf8)) }

func decimal(_ bytes: [UInt8]) -> DecimalText? { DecimalText(bytes.span) }
