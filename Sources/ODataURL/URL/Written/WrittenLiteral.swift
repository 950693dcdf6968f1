/// A primitive literal as written, classified by its form alone (OData 4.01 ABNF, section 7).
public struct WrittenLiteral: Sendable {
    /// The form of the literal.
    public enum Kind: Sendable, Equatable {
        /// `null`.
        case null
        /// `true` or `false`.
        case boolean
        /// Digits with an optional sign.
        case integer
        /// Digits with a decimal point.
        case decimal
        /// With an exponent, or `NaN`, `INF`, `-INF`.
        case double
        /// A string in single quotes.
        case string
        /// A string in double quotes, inside arrays and objects; it may stand for values of many types.
        case json
        /// A GUID.
        case guid
        /// A date.
        case date
        /// A time of day.
        case timeOfDay
        /// A point in time.
        case dateTimeOffset
        /// A duration.
        case duration
        /// Binary data.
        case binary
        /// Members of the enumeration type of this qualified name.
        case enumeration(type: String)
        /// A value of a geography type.
        case geography
        /// A value of a geometry type.
        case geometry
        /// `datetime'…'` of versions 1 to 3.
        case dateTime
        /// `time'…'` of versions 1 to 3.
        case time
        /// Suffix `L` of versions 1 to 3.
        case int64
        /// Suffix `M` of versions 1 to 3.
        case fixedDecimal
        /// Suffix `F` of versions 1 to 3.
        case single
        /// `X'…'` of versions 1 to 3: two hexadecimal digits for each byte.
        case hexadecimal
    }

    /// The form.
    public var kind: Kind
    /// The value without prefix, suffix and quotes; doubled quotes undone.
    public var text: String

    /// Creates a literal.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
