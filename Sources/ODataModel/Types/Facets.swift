/// The facets of a type reference (OData CSDL 4.01 § 7.2); nil means not declared.
public struct Facets: Sendable, Equatable {
    /// Largest length in characters (string), bytes (binary, stream); `.max` in versions 1 to 4 as `Max`.
    public var maxLength: MaxLength?
    /// Digits of a decimal, or fractional digits of seconds of a temporal type.
    public var precision: Int?
    /// Digits to the right of the decimal point.
    public var scale: Scale?
    /// Whether a string may hold all of Unicode; true when not declared.
    public var isUnicode: Bool?
    /// Spatial reference system of a geo type, as written.
    public var srid: String?

    /// Creates facets, none declared by default.
    public init(
        maxLength: MaxLength? = nil,
        precision: Int? = nil,
        scale: Scale? = nil,
        isUnicode: Bool? = nil,
        srid: String? = nil
    ) {
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
        self.isUnicode = isUnicode
        self.srid = srid
    }

    /// A length limit.
    public enum MaxLength: Sendable, Equatable {
        /// A number of characters or bytes.
        case length(Int)
        /// The longest length that the service supports.
        case max
    }

    /// How many fractional digits a decimal has.
    public enum Scale: Sendable, Equatable {
        /// A number of digits right of the decimal point.
        case digits(Int)
        /// Any number of digits, up to the precision.
        case variable
        /// A floating number of digits, as in IEEE 754.
        case floating
    }
}
