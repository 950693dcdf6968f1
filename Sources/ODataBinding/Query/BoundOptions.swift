public import ODataURL
public import ODataModel

/// The system query options of a request or of an expanded navigation property, bound to a model.
public struct BoundOptions: Sendable {
    /// Condition that entities meet.
    public var filter: BoundExpression?
    /// Free-text search.
    public var search: SearchExpression?
    /// Order, most significant first.
    public var orderBy: [OrderItem] = []
    /// At most so many.
    public var top: Int?
    /// So many left out first.
    public var skip: Int?
    /// The opaque position of a next link.
    public var skipToken: String?
    /// Whether the number of all matches is asked for.
    public var count = false
    /// What of each entity is answered.
    public var select = BoundSelect.everything
    /// Collections of values with options of their own in `$select`.
    public var items: [BoundItems] = []
    /// Navigation properties that `$select` names, whose links are answered (OData 4.01 Part 1 § 11.2.5.1).
    public var linked: [NavigationPropertyID] = []
    /// Navigation properties answered inline.
    public var expand: [BoundExpand] = []
    /// Sets of a cross join answered inline.
    public var joined: [BoundJoined] = []
    /// How often an expand repeats itself along a recursive property; `Int.max` for `max`.
    public var levels: Int?
    /// `$deltatoken`, or `!deltatoken` in version 2.
    public var deltaToken: String?
    /// Values added to each entity; they are computed after `apply` and before everything else.
    public var compute: [BoundCompute] = []
    /// Transformations that come before all other options; empty where there are none.
    public var apply: [BoundTransformation] = []
    /// Paths of the values that rows have after `apply`; nil where they are still entities of the type.
    public var grouped: [[String]]?
    /// Those of these values that all rows have, where `apply` leaves rows of several structures; nil where all have the same.
    public var common: [[String]]?
    /// Media type asked for by `$format`.
    public var format: String?

    /// Creates options that ask for everything.
    public init() {}

    /// Whether the options filter, order or page the items of a collection.
    package var choosesItems: Bool {
        filter != nil || search != nil || !orderBy.isEmpty || top != nil || skip != nil
    }
}

/// A position in `$orderby`.
public struct OrderItem: Sendable {
    /// What entities are ordered by.
    public var expression: BoundExpression
    /// Whether larger values come first.
    public var isDescending: Bool

    /// Creates an item.
    public init(expression: BoundExpression, isDescending: Bool = false) {
        self.expression = expression
        self.isDescending = isDescending
    }
}

/// Which structural properties an answer holds.
public enum BoundSelect: Sendable {
    /// All properties.
    case everything
    /// Paths of properties (`Name`, `Address`, `Address/City`) and names of dynamic ones; keys come in any case.
    case paths([[String]])

    /// Whether some properties are left out.
    package var isPartial: Bool { paths != nil }

    /// The paths of the properties; nil for all.
    package var paths: [[String]]? {
        if case .paths(let paths) = self { paths } else { nil }
    }
}

/// A collection of primitive or complex values with nested query options (OData 4.01 Part 2 § 5.1.4).
public struct BoundItems: Sendable {
    /// Complex properties on the way to the collection and its own name.
    public var path: [String]
    /// Filter, search, order, paging, count and selection of the items.
    public var options: BoundOptions

    /// Creates the options of a collection.
    public init(path: [String], options: BoundOptions) {
        self.path = path
        self.options = options
    }

    /// The path without the names of types, which say nothing of where a value stands.
    package var memberPath: [String] { path.filter { !$0.utf8.contains(UInt8(ascii: ".")) } }
}

/// A navigation property answered inline.
public struct BoundExpand: Sendable {
    /// The property.
    public var navigation: NavigationPropertyID
    /// Complex properties and casts before it, as written.
    public var prefix: [String]
    /// Where its entities live; nil where it is not bound (it is then empty).
    public var target: NavigationSource?
    /// A type that entities reached must have.
    public var cast: StructuredTypeID?
    /// What is answered of them.
    public var shape: Shape
    /// Options on the entities reached.
    public var options: BoundOptions

    /// Creates an expand of whole entities.
    public init(navigation: NavigationPropertyID, target: NavigationSource?) {
        self.navigation = navigation
        prefix = []
        self.target = target
        shape = .entities
        options = BoundOptions()
    }

    /// What an expand answers.
    public enum Shape: Sendable {
        /// Entities.
        case entities
        /// References to entities (`$ref`).
        case references
        /// The number of entities (`$count`).
        case count
    }
}

/// A set of a cross join whose entities are answered inline.
public struct BoundJoined: Sendable {
    /// The set.
    public var source: NavigationSource
    /// What of its entities is answered.
    public var options: BoundOptions

    /// Creates an inline set.
    public init(source: NavigationSource, options: BoundOptions) {
        self.source = source
        self.options = options
    }
}
