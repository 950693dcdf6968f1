public import ODataBinding

/// A query over entities of one Swift type; it becomes the URL of ``ODataQuery``.
///
///     try await provider.workOrders
///         .filter { $0.priority == .urgent && $0.customer.name.startsWith("A") }
///         .order(by: \.dueAt)
///         .expand(\.tasks)
///         .entities()
public protocol ODataQuerying: Sendable {
    /// The type of the entities.
    associatedtype Entity: ODataTyped

    /// The query.
    var query: ODataQuery { get set }
}

extension ODataQuerying {
    private func changed(_ change: (ODataQuery) -> ODataQuery) -> Self {
        var copy = self
        copy.query = change(query)
        return copy
    }

    /// Returns the query with a condition, besides those it has.
    public func filter(_ condition: (Entity.Fields) -> QueryExpression) -> Self {
        changed { $0.filter(condition(Entity.Fields(.entity))) }
    }

    /// Returns the query with one more order, less significant than those it has.
    public func order<Value>(
        by field: (Entity.Fields) -> ODataField<Value>,
        descending: Bool = false
    ) -> Self {
        changed {
            $0.orderBy(field(Entity.Fields(.entity)).expression, descending: descending)
        }
    }

    /// Returns the query with a related entity inline; the closure says what of it is asked for.
    public func expand<Target>(
        _ relation: (Entity.Fields) -> ODataRelation<Target>,
        _ nested: (ODataExpansion<Target>) -> ODataExpansion<Target> = { $0 }
    ) -> Self {
        expand(relation(Entity.Fields(.entity)).place, nested)
    }

    /// Returns the query with related entities inline; the closure says what of them is asked for.
    public func expand<Target>(
        _ relations: (Entity.Fields) -> ODataRelations<Target>,
        _ nested: (ODataExpansion<Target>) -> ODataExpansion<Target> = { $0 }
    ) -> Self {
        expand(relations(Entity.Fields(.entity)).place, nested)
    }

    private func expand<Target>(
        _ place: ODataPlace,
        _ nested: (ODataExpansion<Target>) -> ODataExpansion<Target>
    ) -> Self {
        changed { $0.expand(place.path) { nested(ODataExpansion(query: $0)).query } }
    }

    /// Returns the query for so many entities at most.
    public func top(_ count: Int) -> Self { changed { $0.top(count) } }

    /// Returns the query without so many entities at the beginning.
    public func skip(_ count: Int) -> Self { changed { $0.skip(count) } }
}

/// What of related entities is asked for.
public struct ODataExpansion<Entity: ODataTyped>: ODataQuerying {
    /// The query of the related entities.
    public var query: ODataQuery
}
