/// Why a URL was refused: what is wrong at which byte, and what would have been right.
public struct ODataURLError: Error, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Code: Sendable, Equatable {
        /// The text breaks the grammar.
        case syntax
        /// Percent-encoding or UTF-8 is broken.
        case encoding
        /// A limit of ``URLLimits`` is passed.
        case limit
        /// The model has no such name.
        case unknownName
        /// Values of types that do not go together.
        case type
        /// Well-formed, but without meaning for this resource.
        case meaning
        /// Right by the standard, but not offered here.
        case notSupported
    }

    /// What kind of fault it is.
    public var code: Code
    /// Byte offset of the fault in the text given, 0-based.
    public var offset: Int
    /// What happened, for people; holds names of the model and of the grammar, no values.
    public var message: String
    /// What stands at the offset, shortened; empty at the end of the text.
    ///
    /// May hold a user's value.
    public var found: String
    /// What could have stood there.
    public var expected: [String]
    /// The nearest name that is known.
    public var suggestion: String?

    /// Creates an error.
    public init(
        _ code: Code,
        at offset: Int,
        _ message: String,
        found: String = "",
        expected: [String] = [],
        suggestion: String? = nil
    ) {
        self.code = code
        self.offset = offset
        self.message = message
        self.found = found
        self.expected = expected
        self.suggestion = suggestion
    }

    /// The message with the place and the nearest known name, without any value.
    public var description: String {
        var text = "\(message), at offset \(offset)"
        if !expected.isEmpty {
            text += "; expected " + expected.joined(separator: " or ")
        }
        if let suggestion {
            text += "; did you mean \(suggestion)?"
        }
        return text
    }
}
