package import ODataValues

/// What a canonical function takes and gives, and the SQL that computes it.
package struct FunctionSignature: Sendable {
    /// What it takes in each place.
    package var arguments: [ArgumentKind]
    /// Arguments that may not be left out.
    var required: Int
    /// The form of its value; nil for that of its first argument.
    package var result: ScalarForm?
    /// What computes it of single values; nil where nothing does.
    package var sql: FunctionSQL?
    /// What computes it where an argument is a collection; nil where none may be.
    package var collections: FunctionSQL?
    /// Whether it is of versions 1 to 3 alone.
    package var isOld: Bool

    init(
        _ arguments: ArgumentKind...,
        required: Int? = nil,
        gives result: ScalarForm?,
        sql: FunctionSQL? = nil,
        collections: FunctionSQL? = nil,
        isOld: Bool = false
    ) {
        self.arguments = arguments
        self.required = required ?? arguments.count
        self.result = result
        self.sql = sql
        self.collections = collections
        self.isOld = isOld
    }
}
