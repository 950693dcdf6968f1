/// How much a URL may ask of the parser and the binder.
public struct URLLimits: Sendable, Hashable {
    /// Longest text in bytes: enough for `in` lists and `or` chains of ten thousand members, sent as `/$query` bodies.
    public var maximumLength = 1_048_576
    /// Deepest nesting of parentheses, functions and lists in an expression, far above what people write; a call counts twice.
    ///
    /// Each level takes some kilobytes of stack in a debug build, and threads of Apple's systems have 512 KiB.
    public var maximumExpressionDepth = 64
    /// Deepest nesting of `any` and `all`: each level multiplies the work.
    public var maximumLambdaDepth = 16
    /// Deepest nesting of `$expand`.
    public var maximumExpandDepth = 16
    /// Most segments of a path.
    public var maximumSegments = 256
    /// Most query options, custom ones included.
    public var maximumOptions = 1024
    /// Most items of one list in an option or call, but not of `and`, `or` and `in`, which only the length limits.
    public var maximumItems = 4096

    /// Most expressions that a request may have once aliases are replaced, each time they are used.
    public var maximumExpressions = 500_000

    /// Whether expressions may use properties that clients cannot read (`Core.Permissions`).
    package var allowsUnreadable = true

    /// Creates the default limits.
    public init() {}
}
