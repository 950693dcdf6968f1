public import ODataModel

/// How values of one column stand in JSON, worked out once and used for every row.
public struct JSONForm: Sendable {
    /// How they are written; enumerations as numbers.
    private(set) var scalar: JSONScalarForm
    let enumType: EnumType?

    /// The form of the scalars.
    public var form: ScalarForm { scalar.form }
    /// Whose spelling they are written in.
    public var style: ScalarStyle { scalar.style }
    /// Whether the text stands in quotation marks.
    var isQuoted: Bool { scalar.isQuoted }
    /// The form of values that need no model to be written; nil for enumerations.
    package var plain: JSONScalarForm? { enumType == nil ? scalar : nil }

    /// Creates the form of a column.
    ///
    /// - Parameters:
    ///   - form: The form of the scalars.
    ///   - model: Asked for the members of enumerations.
    ///   - style: `.v2DateTime` for columns of `Edm.DateTime`.
    ///   - isIEEE754Compatible: Whether Int64 and Decimal stand in quotation marks (OData JSON 4.01 § 3.2).
    public init(
        _ form: ScalarForm,
        in model: EdmModel,
        style: ScalarStyle = .v4,
        isIEEE754Compatible: Bool = false
    ) {
        scalar = JSONScalarForm(
            form,
            style: style,
            isQuoted: Self.isQuoted(
                form,
                isOld: style != .v4,
                isIEEE754Compatible: isIEEE754Compatible
            )
        )
        enumType = if case .enumeration(let id) = form { model[id] } else { nil }
    }

    /// Creates the form of a column as version 4 has it, which needs no model; nil for enumerations.
    package init?(plain form: ScalarForm) {
        if case .enumeration = form { return nil }
        scalar = JSONScalarForm(
            form,
            isQuoted: Self.isQuoted(form, isOld: false, isIEEE754Compatible: false)
        )
        enumType = nil
    }

    /// The form for another store, which is to have each digit of a time: `/Date(…)/` has milliseconds alone.
    package var lossless: JSONForm {
        var form = self
        form.scalar.isLossless = true
        return form
    }

    /// The form for readers that take no exponent in decimals (OData JSON 4.01 § 3.3).
    package var withoutExponents: JSONForm {
        var form = self
        form.scalar.hasExponents = false
        return form
    }

    /// Versions 1 to 3 quote whatever a double of the reader could not hold, and doubles too (JSON Verbose § 4.2).
    private static func isQuoted(
        _ form: ScalarForm,
        isOld: Bool,
        isIEEE754Compatible: Bool
    ) -> Bool {
        switch form {
        case .boolean, .json: false
        case .integer(let type): type == .int64 && (isOld || isIEEE754Compatible)
        case .scaledDecimal, .decimalText: isOld || isIEEE754Compatible
        case .single, .double: isOld
        default: true
        }
    }
}

/// How values of one column stand in JSON, as plain values: to copy it counts no references.
package struct JSONScalarForm: Sendable {
    /// The form of the scalars.
    package let form: ScalarForm
    let style: ScalarStyle
    /// Whether the text stands in quotation marks.
    let isQuoted: Bool
    /// Whether times that the style would cut are written as ISO texts, which readers of every version take.
    var isLossless = false
    /// Whether decimals that are kept with an exponent are written with it; in quotation marks they never are.
    var hasExponents = true

    /// Creates a form.
    package init(_ form: ScalarForm, style: ScalarStyle = .v4, isQuoted: Bool = true) {
        self.form = form
        self.style = style
        self.isQuoted = isQuoted
    }
}
