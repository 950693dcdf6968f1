/// A value as it was read from its text.
public struct ParsedScalar: Sendable, Hashable {
    /// The value.
    public var scalar: Scalar
    /// Whether the text says something that the scalar does not, and is to be kept beside it.
    public var needsExact: Bool

    /// Creates a value.
    public init(_ scalar: Scalar, needsExact: Bool = false) {
        self.scalar = scalar
        self.needsExact = needsExact
    }
}

/// Whose spelling a value is written in.
public enum ScalarStyle: Sendable, Hashable {
    /// Version 4: ISO dates and times, base64url.
    case v4
    /// Versions 1 to 3 in JSON: `/Date(…)/` with the offset, times as durations, standard base64.
    case v2
    /// As `v2`, for values of `Edm.DateTime`, which have no offset.
    case v2DateTime
}
