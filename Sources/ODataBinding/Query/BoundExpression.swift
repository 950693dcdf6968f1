public import ODataValues
public import ODataURL
public import ODataModel

/// An expression of `$filter`, `$orderby` or `$compute` with names and types resolved.
public indirect enum BoundExpression: Sendable {
    /// A value with its form.
    case literal(Scalar, ScalarForm)
    /// The null literal.
    case null
    /// A collection written out: a JSON array, or a list given by an alias.
    case list([BoundExpression])
    /// A single value reached from a variable; see `BoundPath`.
    case path(BoundPath)
    /// The variable itself: the current item of a collection of primitives (`$it`, `$this`, a lambda variable).
    case variable(LambdaVariable, ScalarForm?)
    /// A comparison of two values (OData 4.01 Part 2 § 5.1.1.1).
    case comparison(ComparisonOperator, BoundExpression, BoundExpression)
    /// Conjunction of all; flat, so that long chains cost no depth.
    case and([BoundExpression])
    /// Disjunction of any; flat.
    case or([BoundExpression])
    /// The negation of a condition.
    case not(BoundExpression)
    /// An arithmetic operation (OData 4.01 Part 2 § 5.1.1.2).
    case arithmetic(ArithmeticOperator, BoundExpression, BoundExpression)
    /// A number with the other sign.
    case negate(BoundExpression)
    /// Whether the value is one of the list.
    case isIn(BoundExpression, [BoundExpression])
    /// Whether all flags of the literal are set.
    case has(BoundExpression, BoundExpression)
    /// A call of a built-in function.
    case call(FilterFunction, [BoundExpression])
    /// A conversion to a primitive type.
    case cast(BoundExpression, ScalarForm)
    /// Whether the variable's entity, or the entity a path leads to, is of a type.
    case isOf(BoundPath, StructuredTypeID)
    /// Whether a dynamic value states one of these types, `#Date`, or is JSON of one that need not be stated.
    case isOfDynamic(BoundPath, types: [String])
    /// `any` or `all` over a collection.
    case lambda(BoundLambda)
    /// The number of items of a collection, those that meet the condition.
    case count(BoundPath, filter: BoundLambda?)
    /// `case`: the value of the first condition that holds (OData 4.01 Part 2 § 5.1.1.12).
    case conditional([(condition: BoundExpression, value: BoundExpression)])
    /// A property of an entity that a path from the service root names (`$root/…`).
    case root(BoundRoot)
    /// A value of all rows that a transformation works on (`$these/aggregate(…)`).
    case these(BoundAggregate)
    /// `sap.islocal()` and its kin on the entity that a path leads to.
    case state(EntityState, BoundPath)

    /// The form of the expression's value; nil for null and for what has no scalar form.
    public var form: ScalarForm? {
        switch self {
        case .literal(_, let form): form
        case .null, .list: nil
        case .path(let path): path.form
        case .variable(_, let form): form
        case .comparison, .and, .or, .not, .isIn, .has, .isOf, .isOfDynamic, .lambda, .state:
            .boolean
        case .arithmetic(let operation, let left, let right):
            operation.resultForm(left.form, right.form)
        case .negate(let operand): operand.form
        case .call(let function, let arguments): function.resultForm(of: arguments)
        case .cast(_, let form): form
        case .count: .integer(.int64)
        case .conditional(let branches): Self.form(of: branches)
        case .root(let root): root.form
        case .these(let aggregate): aggregate.form
        }
    }
}

extension BoundExpression {
    /// A loop, since a lazy search asks twice at each level: nested conditions would take exponential time.
    private static func form(of branches: [(condition: BoundExpression, value: BoundExpression)])
        -> ScalarForm?
    {
        for branch in branches {
            if let form = branch.value.form { return form }
        }
        return nil
    }
}

extension ArithmeticOperator {
    /// Returns the form of the result for operands of two forms (OData 4.01 Part 2 § 5.1.1.2); nil where both are unknown.
    public func resultForm(_ left: ScalarForm?, _ right: ScalarForm?) -> ScalarForm? {
        guard let left, let right else { return left ?? right }
        switch (left, right) {
        case (.dateTimeOffset, .dateTimeOffset), (.date, .date), (.timeOfDay, .timeOfDay),
            (.duration, .duration):
            return .duration
        case (.dateTimeOffset, _), (.date, _), (.timeOfDay, _): return left
        case (_, .dateTimeOffset), (_, .date), (_, .timeOfDay): return right
        case (.duration, _), (_, .duration): return .duration
        case (.double, _), (_, .double): return .double
        case (.single, .single): return .single
        case (.single, _), (_, .single): return .double
        case (.integer, .integer): return self == .divideBy ? .decimalText : .integer(.int64)
        default: return .decimalText
        }
    }
}

/// A variable of an expression.
public enum LambdaVariable: Sendable, Hashable {
    /// The entity that the option applies to (`$it`, and the start of paths without variable).
    case it
    /// `$it` inside the options of an expanded property: the entity of the resource path that the property belongs to.
    case outer
    /// A lambda variable, counted from the outermost, 1-based.
    case lambda(Int)
}

/// A way from a variable to a value: navigation first, then structural properties.
public struct BoundPath: Sendable {
    /// Where it begins.
    public var variable: LambdaVariable
    /// Single-valued navigation and casts on the way.
    public var steps: [EntityPath.Step]
    /// Complex properties and the last property, qualified names of complex types for casts among them; empty where the
    /// entity itself is meant.
    public var property: [String]
    /// The type of the last property or entity; nil for a dynamic property and for a navigation property at the end.
    public var type: TypeReference?
    /// The form of a primitive value.
    public var form: ScalarForm?
    /// Whether `property` is one name that `$compute` or `$apply` gave to a value.
    public var isComputed = false
    /// A navigation property at the end, many-valued or meant as a whole.
    public var navigation: NavigationPropertyID?
    /// Where that property leads.
    public var navigationTarget: NavigationSource?
    /// A type that entities reached by that property must have.
    public var navigationCast: StructuredTypeID?

    /// The names of the way in an answer by which values of grouped rows are known; empty where it is not needed.
    public var names: [String] = []
    /// The path by which a value of `$compute` or of grouped rows is known.
    public var key: [String] { names.isEmpty ? property : names }

    /// Creates a path.
    public init(variable: LambdaVariable, steps: [EntityPath.Step] = [], property: [String] = []) {
        self.variable = variable
        self.steps = steps
        self.property = property
    }
}

/// `any` or `all` over a collection (OData 4.01 Part 2 § 5.1.1.13), or the condition of a `$count`.
public struct BoundLambda: Sendable {
    /// Any or all.
    public var quantifier: Quantifier
    /// The collection: navigation or a collection of primitive or complex values.
    public var collection: BoundPath
    /// The variable that the condition uses.
    public var variable: LambdaVariable
    /// The condition; nil for `any()`.
    public var condition: BoundExpression?
    /// A search that items counted by `$count` must meet too.
    public var search: SearchExpression?

    /// Creates a lambda.
    public init(
        _ quantifier: Quantifier,
        over collection: BoundPath,
        variable: LambdaVariable,
        condition: BoundExpression?
    ) {
        self.quantifier = quantifier
        self.collection = collection
        self.variable = variable
        self.condition = condition
    }
}

/// A primitive property of one entity, named from the service root (OData 4.01 Part 2 § 5.1.1.14.2).
public struct BoundRoot: Sendable {
    /// The way to the entity.
    public var path: EntityPath
    /// The property.
    public var property: [String]
    /// The form of its value.
    public var form: ScalarForm?

    /// Creates a value named from the root.
    public init(path: EntityPath, property: [String], form: ScalarForm?) {
        self.path = path
        self.property = property
        self.form = form
    }
}

/// A state of an entity in an offline store, asked by `sap.` functions.
public enum EntityState: String, Sendable, CaseIterable {
    /// Whether the entity has local changes that no download has confirmed.
    case isLocal = "sap.islocal"
    /// Whether a change of the entity waits for its upload.
    case hasPendingChanges = "sap.haspendingchanges"
    /// Whether the service refused a change of the entity.
    case inErrorState = "sap.inerrorstate"
    /// Whether the related entity exists in the store.
    case exists = "sap.entityexists"
    /// Whether the last download inserted or updated the entity.
    case upsertedLastDownload = "sap.upsertedlastdownload"
    /// Whether a related entity has local changes.
    case hasLocalRelatives = "sap.haslocalrelatives"
    /// Whether a change of a related entity waits for its upload.
    case hasRelativesWithPendingChanges = "sap.hasrelativeswithpendingchanges"
    /// Whether the service refused a change of a related entity.
    case hasRelativesInErrorState = "sap.hasrelativesinerrorstate"

    /// The state of a function's name.
    init?(function: String) {
        switch function {
        case "sap.relativeislocal": self = .hasLocalRelatives
        case "sap.relativehaspendingchanges": self = .hasRelativesWithPendingChanges
        case "sap.relativeinerrorstate": self = .hasRelativesInErrorState
        default: self.init(rawValue: function)
        }
    }

    /// The state that one of the entity's relatives must be in; nil for a state of the entity itself.
    var ofRelative: EntityState? {
        switch self {
        case .hasLocalRelatives: .isLocal
        case .hasRelativesWithPendingChanges: .hasPendingChanges
        case .hasRelativesInErrorState: .inErrorState
        default: nil
        }
    }
}
