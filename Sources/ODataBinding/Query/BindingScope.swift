import ODataValues
import ODataModel

/// What names and variables of an expression stand for at a place.
struct BindingScope {
    /// What paths without a variable begin with.
    var implicit: BoundVariable
    /// `$it`; nil where the item of the resource path cannot be reached.
    var it: BoundVariable?
    /// Variables of the `any` and `all` around the place, outermost first; the condition of a `$count` has one without name.
    var lambdas: [(name: String?, variable: BoundVariable)] = []
    /// Names that `$compute` and `$apply` give to values, with their forms.
    var computed: [(name: String, form: ScalarForm?)] = []
    /// Whether a transformation of `$apply` is being bound.
    var isTransforming = false
    /// The only paths that are left after rows were grouped; nil where all are.
    var grouped: [[String]]?

    /// The paths that all rows have where transformations have left rows of several structures; nil where all have the same.
    var common: [[String]]?

    /// The scope of an option on entities or values.
    init(_ item: BoundVariable.Item, isOutermost: Bool = true) {
        implicit = BoundVariable(variable: .it, item: item)
        it = isOutermost ? implicit : nil
    }

    /// Returns the scope inside one more lambda.
    func entering(_ name: String?, over item: BoundVariable.Item) -> Self {
        var inner = self
        let variable = BoundVariable(variable: .lambda(lambdas.count + 1), item: item)
        inner.lambdas.append((name, variable))
        if name == nil {
            inner.implicit = variable
            inner.computed = []
            inner.grouped = nil
            inner.common = nil
        }
        return inner
    }

    /// The paths that all rows have, besides the properties of their type where they are still entities of it.
    var present: [[String]] { common ?? (grouped ?? []) + computed.map { [$0.name] } }

    /// Returns the lambda variable of a name, the innermost one.
    func lambda(named name: String) -> BoundVariable? {
        lambdas.last { $0.name == name }?.variable
    }
}

/// A variable with what it stands for.
struct BoundVariable {
    var variable: LambdaVariable
    var item: Item

    /// An item of a collection.
    enum Item {
        case entity(StructuredTypeID, NavigationSource?)
        case complex(StructuredTypeID)
        case value(TypeReference, ScalarForm?)
    }
}
