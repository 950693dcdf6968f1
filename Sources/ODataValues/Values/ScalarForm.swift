public import ODataModel

/// How values of an Edm primitive type look as scalars, chosen so that plain comparison of scalars is OData's comparison.
///
/// | Edm | scalar |
/// | --- | --- |
/// | Boolean | integer 0 or 1 |
/// | Byte, SByte, Int16, Int32, Int64, enumerations | integer |
/// | Single, Double | real; NaN as text `NaN` |
/// | Decimal, at most 18 digits and fixed scale | integer, scaled by ten to the power of the scale |
/// | Decimal, any other | text that compares by bytes as the number does (`DecimalText`) |
/// | Date | integer, days since 0001-01-01 |
/// | TimeOfDay, Time, Duration | integer, ticks of 100 ns |
/// | DateTimeOffset, DateTime | integer, the instant in ticks of 100 ns since 0001-01-01T00:00:00Z |
/// | Guid | blob of 16 bytes in the order of the text |
/// | Binary | blob |
/// | String | text |
/// | geo types | text, GeoJSON as received |
///
/// What a form cannot say (an offset, trailing zeros, finer fractions, -0) is kept beside it as the value's *exact text*.
public enum ScalarForm: Sendable, Hashable {
    /// `Edm.Boolean`, as 0 or 1.
    case boolean
    /// A whole number of the given Edm type, which fixes its range.
    case integer(PrimitiveType)
    /// `Edm.Single`.
    case single
    /// `Edm.Double`.
    case double
    /// A decimal of at most 18 digits: the integer is the value times ten to the power of `scale`.
    case scaledDecimal(scale: Int)
    /// `Edm.Decimal` of variable scale, as text.
    case decimalText
    /// `Edm.String`.
    case string
    /// `Edm.Guid`, as 16 bytes.
    case guid
    /// `Edm.Binary`, as bytes.
    case binary
    /// `Edm.Date`, as a day number counted from 0001-01-01.
    case date
    /// `Edm.TimeOfDay`, in ticks of 100 ns since midnight.
    case timeOfDay
    /// `Edm.Duration`, in ticks of 100 ns.
    case duration
    /// `Edm.DateTimeOffset`, in ticks of 100 ns since 0001-01-01T00:00:00Z.
    case dateTimeOffset
    /// A value of an enumeration type, as its number.
    case enumeration(EnumTypeID)
    /// JSON text kept as it came: geo values, and anything that has no form of its own.
    case json

    /// Largest precision of a decimal that an integer of 64 bits holds at any scale.
    public static let largestScaledPrecision = 18

    /// The form of a type reference's single value; nil for structured types, streams and unresolved names.
    public init?(_ type: TypeReference, in model: EdmModel) {
        switch type.type {
        case .enumeration(let id): self = .enumeration(id)
        case .primitive(let primitive):
            guard let form = Self(primitive, facets: type.facets) else { return nil }
            self = form
        case .definition(let id):
            let definition = model[id]
            guard let form = Self(definition.underlyingType, facets: type.facets(in: model)) else {
                return nil
            }
            self = form
        case .untyped: self = .json
        case .structured, .unresolved: return nil
        }
    }

    /// The form of a primitive type with its facets; nil for streams.
    public init?(_ type: PrimitiveType, facets: Facets = Facets()) {
        switch type {
        case .boolean: self = .boolean
        case .byte, .sbyte, .int16, .int32, .int64: self = .integer(type)
        case .single: self = .single
        case .double: self = .double
        case .decimal: self = Self.decimal(facets)
        case .string: self = .string
        case .guid: self = .guid
        case .binary: self = .binary
        case .date: self = .date
        case .timeOfDay, .time: self = .timeOfDay
        case .duration: self = .duration
        case .dateTimeOffset, .dateTime: self = .dateTimeOffset
        case .stream: return nil
        default: self = .json
        }
    }

    /// A decimal without scale has scale 0 only where it has a precision (CSDL 4.01 § 7.2.4); without either it is open.
    private static func decimal(_ facets: Facets) -> Self {
        guard let precision = facets.precision, (1...largestScaledPrecision).contains(precision)
        else {
            return .decimalText
        }
        switch facets.scale {
        case nil: return .scaledDecimal(scale: 0)
        case .digits(let scale) where (0...precision).contains(scale):
            return .scaledDecimal(scale: scale)
        default: return .decimalText
        }
    }
}

extension TypeReference {
    /// The facets, those of a type definition where the reference declares none.
    package func facets(in model: EdmModel) -> Facets {
        guard case .definition(let id) = type else { return facets }
        return facets.fillingGaps(from: model[id].facets)
    }
}

extension Facets {
    /// Returns these facets with undeclared ones taken from a type definition.
    public func fillingGaps(from other: Facets) -> Facets {
        Facets(
            maxLength: maxLength ?? other.maxLength,
            precision: precision ?? other.precision,
            scale: scale ?? other.scale,
            isUnicode: isUnicode ?? other.isUnicode,
            srid: srid ?? other.srid
        )
    }
}

extension ScalarForm {
    /// Whether values are decimals.
    package var isDecimal: Bool {
        switch self {
        case .scaledDecimal, .decimalText: true
        default: false
        }
    }
}
