/// How many types of each kind a model has.
struct TypeCounts: Sendable {
    var structured: Int
    var enumerations: Int
    var definitions: Int
}
