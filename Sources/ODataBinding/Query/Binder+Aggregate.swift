import ODataURL
import ODataValues
import ODataModel

/// `aggregate` (OData Data Aggregation 4.0 § 3.2.1).
extension Binder {
    mutating func aggregation(
        _ written: WrittenTransformation,
        in scope: inout BindingScope
    ) throws(ODataURLError) -> BoundTransformation {
        var items: [BoundAggregate] = []
        var after = scope
        after.computed = []
        after.grouped = []
        after.common = nil
        for case .aggregate(let item) in written.arguments {
            let bound = try aggregate(item, in: scope)
            try define(bound.name, as: bound.form, at: item.offset, in: &after)
            items.append(bound)
        }
        scope = after
        return .aggregate(items)
    }

    mutating func aggregate(_ item: WrittenAggregate, in scope: BindingScope)
        throws(ODataURLError) -> BoundAggregate
    {
        guard item.from.isEmpty else {
            throw ODataURLError(
                .notSupported,
                at: item.offset,
                "aggregation with from is not offered"
            )
        }
        guard let expression = item.expression, let name = item.alias else {
            throw customAggregate(item)
        }
        if let counted = try counted(expression, in: scope) {
            guard item.method == nil else {
                throw ODataURLError(
                    .meaning,
                    at: item.offset,
                    "$count is aggregated without a method",
                    expected: ["$count as \(name)"]
                )
            }
            return BoundAggregate(
                name: name,
                method: .count,
                collection: counted.collection,
                expression: counted.entity
            )
        }
        guard let spelling = item.method else { throw customAggregate(item) }
        guard let method = BoundAggregate.Method(rawValue: spelling), method != .count else {
            throw ODataURLError(
                .notSupported,
                at: item.offset,
                "the method \(spelling) is not offered",
                expected: BoundAggregate.Method.allCases.map(\.rawValue).filter { $0 != "count" }
            )
        }
        let (collection, value) = try aggregated(expression, in: scope)
        try expectAggregatable(value, method: method, writtenAs: expression)
        return BoundAggregate(name: name, method: method, collection: collection, expression: value)
    }

    private func customAggregate(_ item: WrittenAggregate) -> ODataURLError {
        ODataURLError(
            .notSupported,
            at: item.offset,
            "custom aggregates are not offered",
            expected: ["with sum", "with min", "with max", "with average", "with countdistinct"]
        )
    }

    /// Returns what `$count` at the end counts: rows, a collection, or the entities that single-valued navigation leads to; nil where
    /// there is no `$count`.
    private mutating func counted(_ expression: WrittenExpression, in scope: BindingScope)
        throws(ODataURLError) -> (collection: BoundPath?, entity: BoundExpression?)?
    {
        guard case .path(let members) = expression.node, case .count(nil)? = members.last?.kind
        else {
            return nil
        }
        guard members.count > 1 else { return (nil, nil) }
        let counted = try self.path(Array(members.dropLast()), in: scope, wanted: nil)
        guard case .path(let path) = counted, !isCollection(counted) else {
            guard case .count(let path, nil) = try self.path(members, in: scope, wanted: nil) else {
                return nil
            }
            return (path, nil)
        }
        let isNavigation = path.steps.contains { if case .navigation = $0 { true } else { false } }
        guard isNavigation, path.property.isEmpty else {
            throw ODataURLError(
                .notSupported,
                at: expression.offset,
                "$count of a single value is offered for navigation properties only"
            )
        }
        return (nil, counted)
    }

    /// Binds what is aggregated: a path through a collection is cut there.
    private mutating func aggregated(_ written: WrittenExpression, in scope: BindingScope)
        throws(ODataURLError) -> (BoundPath?, BoundExpression)
    {
        guard case .path(let members) = written.node else {
            return (nil, try expression(written, in: scope))
        }
        var walk = MemberWalk(scope.implicit)
        for (index, member) in members.enumerated() {
            guard case .name(let name) = member.kind,
                !scope.computed.contains(where: { $0.name == name }) || index > 0
            else { break }
            try walk.follow(member, in: self)
            guard let (collection, item) = try? walk.collection(member.offset, in: self) else {
                continue
            }
            var inner = scope.entering(nil, over: item)
            inner.it = nil
            let rest = members[(index + 1)...]
            let value = try follow(rest, from: MemberWalk(inner.implicit), in: inner)
            return (collection, value)
        }
        return (nil, try expression(written, in: scope))
    }

    private func expectAggregatable(
        _ value: BoundExpression,
        method: BoundAggregate.Method,
        writtenAs written: WrittenExpression
    ) throws(ODataURLError) {
        if method != .countDistinct { try expectPlainValue(value, writtenAs: written) }
        try expectNoCollection(value, writtenAs: written)
        guard method != .countDistinct, let form = value.form else { return }
        let isFit =
            switch method {
            case .sum, .average: form.isNumeric || form == .duration
            default: form != .binary && form != .json && form != .boolean
            }
        guard isFit else {
            throw ODataURLError(
                .type,
                at: written.offset,
                "values of \(describe(form)) have no \(method.rawValue)"
            )
        }
    }
}
