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

    /// The fields stand in a box: the error is part of every result on the way through nested expressions, where a large one
    /// would cost stack at each level.
    private var box: Box

    /// Creates an error.
    public init(
        _ code: Code,
        at offset: Int,
        _ message: String,
        found: String = "",
        expected: [String] = [],
        suggestion: String? = nil
    ) {
        box = Box(
            Fields(
                code: code,
                offset: offset,
                message: message,
                found: found,
                expected: expected,
                suggestion: suggestion
            )
        )
    }

    /// Says of a `+` where none can stand what clients mean by it.
    package static let plusIsNoSpace = "'+' is a plus sign in a URL; write %20 for a space"

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

// MARK: - Fields

extension ODataURLError {
    private struct Fields: Sendable {
        var code: Code
        var offset: Int
        var message: String
        var found: String
        var expected: [String]
        var suggestion: String?
    }

    private final class Box: Sendable {
        let fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }

    private var fields: Fields {
        get { box.fields }
        set { box = Box(newValue) }
    }

    /// What kind of fault it is.
    public var code: Code {
        get { fields.code }
        set { fields.code = newValue }
    }

    /// Byte offset of the fault in the text given, 0-based.
    public var offset: Int {
        get { fields.offset }
        set { fields.offset = newValue }
    }

    /// What happened, for people; holds names of the model and of the grammar, no values.
    public var message: String {
        get { fields.message }
        set { fields.message = newValue }
    }

    /// What stands at the offset, shortened; empty at the end of the text.
    ///
    /// May hold a user's value.
    public var found: String {
        get { fields.found }
        set { fields.found = newValue }
    }

    /// What could have stood there.
    public var expected: [String] {
        get { fields.expected }
        set { fields.expected = newValue }
    }

    /// The nearest name that is known.
    public var suggestion: String? {
        get { fields.suggestion }
        set { fields.suggestion = newValue }
    }
}
