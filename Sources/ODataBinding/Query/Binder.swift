import ODataText
public import ODataURL
import ODataValues
public import ODataModel

/// Looks up the names of a written request in a model and gives every value its form.
struct Binder {
    let model: EdmModel
    let version: ODataVersion
    let limits: URLLimits
    /// Parameter aliases of the request.
    var aliases: [WrittenAlias]
    /// Custom options: arguments of functions of versions 1 to 3, and of 4.01 by bare name.
    let custom: [WrittenCustomOption]
    /// How many aliases are being replaced around the place.
    var aliasDepth = 0
    /// Whether the value of a key is being read: it must be exact.
    var isInKey = false
    /// Expressions bound so far: aliases may repeat each other without end.
    var expressionCount = 0

    /// What the resource path leads to: one, in a list so that a binder stays small where expressions are deep.
    var resource: [BoundVariable.Item] = []
    /// How many expanded properties stand around the place.
    var expandDepth = 0

    /// Nesting of expressions at the place, through aliases too.
    private var depth = 0

    /// Aliases inside aliases; a chain longer than this runs in a circle.
    static let maximumAliasDepth = 8

    init(_ written: WrittenRequest, in model: EdmModel) {
        self.model = model
        version = written.version
        limits = written.limits
        aliases = written.options.aliases
        custom = written.options.custom
    }

    /// Goes one level deeper and counts an expression against the limits.
    mutating func enter(at offset: Int) throws(ODataURLError) {
        // What the parser let through is less deep; aliases may put one deep expression into another.
        guard depth <= limits.maximumExpressionDepth else {
            let message = "the expression is nested deeper than \(limits.maximumExpressionDepth)"
            throw ODataURLError(.limit, at: offset, message)
        }
        depth += 1
        expressionCount += 1
        guard expressionCount <= limits.maximumExpressions else {
            let message = "the request has more than \(limits.maximumExpressions) expressions"
            throw ODataURLError(.limit, at: offset, message)
        }
    }

    /// Goes one level up.
    mutating func leave() {
        depth -= 1
    }

    /// Returns the error for a name that a type does not have.
    func unknown(
        _ name: String,
        at offset: Int,
        what: String,
        among names: some Sequence<String>
    ) -> ODataURLError {
        ODataURLError(
            .unknownName,
            at: offset,
            "\(what) has no \(name)",
            found: name,
            suggestion: NearestName.of(name, among: names)
        )
    }
}

extension BoundRequest {
    /// Binds a written request to a model.
    ///
    /// - Throws: ``ODataURLError`` where a name is unknown, types do not go together or something is not offered.
    public init(_ written: WrittenRequest, in model: EdmModel) throws(ODataURLError) {
        var binder = Binder(written, in: model)
        self = try binder.request(written)
    }

    /// Reads and binds a URL relative to the service root.
    ///
    /// - Throws: ``ODataURLError`` with the byte offset in `text`.
    public init(
        parsing text: String,
        in model: EdmModel,
        version: ODataVersion = .v401,
        limits: URLLimits = URLLimits()
    ) throws(ODataURLError) {
        let written = try WrittenRequest(parsing: text, version: version, limits: limits)
        try self.init(written, in: model)
    }
}
