public import ODataBinding
public import OfflineValues

/// A Swift type of a structured type of a service, as `generate swift` writes them.
public protocol ODataTyped: ODataNamedType, Codable, Hashable, Sendable {
    /// The properties and relations of the type, for conditions and orders.
    associatedtype Fields: ODataFields
}

/// The properties and relations of a type, by their Swift names.
public protocol ODataFields: Sendable {
    /// Creates them for the values at a place.
    init(_ place: ODataPlace)
}

/// Where a value is: at a path from an entity of the query, or from an item of `any` and `all`.
public struct ODataPlace: Sendable {
    /// The item that the path begins at; nil for the entity of the query.
    private let item: QueryItem?
    /// Names between slashes; empty for the entity or the item itself.
    public let path: String

    /// The entity of the query.
    public static let entity = ODataPlace(item: nil, path: "")

    /// Creates the place of an item of `any` and `all`.
    init(_ item: QueryItem) { self.init(item: item, path: "") }

    private init(item: QueryItem?, path: String) {
        self.item = item
        self.path = path
    }

    /// Returns the place of a property.
    public func member(_ name: String) -> ODataPlace {
        ODataPlace(item: item, path: path.isEmpty ? name : path + "/" + name)
    }

    /// The value at the place.
    public var expression: QueryExpression {
        item.map { path.isEmpty ? $0.value : $0.property(path) } ?? .property(path)
    }

    func any(_ condition: (QueryItem) -> QueryExpression) -> QueryExpression {
        item.map { $0.any(path, condition) } ?? .any(path, condition)
    }

    func all(_ condition: (QueryItem) -> QueryExpression) -> QueryExpression {
        item.map { $0.all(path, condition) } ?? .all(path, condition)
    }
}
