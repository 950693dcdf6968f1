import ODataURL
import ODataValues
import ODataModel

extension Binder {
    /// Binds a sequence of transformations; the scope is afterwards that of the rows that come out.
    mutating func transformations(_ written: [WrittenTransformation], in scope: inout BindingScope)
        throws(ODataURLError) -> [BoundTransformation]
    {
        var bound: [BoundTransformation] = []
        let wasTransforming = scope.isTransforming
        defer { scope.isTransforming = wasTransforming }
        scope.isTransforming = true
        for transformation in written {
            bound.append(try self.transformation(transformation, in: &scope))
        }
        return bound
    }

    /// Binds `$compute`; each name is known to the items after it.
    mutating func computed(_ items: [WrittenComputeItem], in scope: inout BindingScope)
        throws(ODataURLError) -> [BoundCompute]
    {
        var bound: [BoundCompute] = []
        for item in items {
            let expression = try expression(item.expression, in: scope)
            try expectNoCollection(expression, writtenAs: item.expression)
            try define(item.name, as: expression.form, at: item.offset, in: &scope)
            bound.append(BoundCompute(name: item.name, expression: expression))
        }
        return bound
    }

    /// Adds a name to the scope; it must be new there.
    private func define(
        _ name: String,
        as form: ScalarForm?,
        at offset: Int,
        in scope: inout BindingScope
    ) throws(ODataURLError) {
        var isTaken = scope.computed.contains { $0.name == name }
        if scope.grouped == nil, case .entity(let type, _) = scope.implicit.item {
            isTaken =
                isTaken || model.property(name, of: type) != nil
                || model.navigationProperty(name, of: type) != nil
        }
        guard !isTaken else {
            throw ODataURLError(.meaning, at: offset, "the name \(name) is taken", found: name)
        }
        scope.computed.append((name, form))
    }

    // MARK: One transformation

    private mutating func transformation(
        _ written: WrittenTransformation,
        in scope: inout BindingScope
    ) throws(ODataURLError) -> BoundTransformation {
        switch (written.name, written.arguments.first) {
        case ("identity", _): return .identity
        case ("filter", .expression(let condition)?):
            return .filter(try self.condition(condition, in: scope))
        case ("search", .search(let search)?): return .search(search)
        case ("top", .number(let number)?): return .top(number)
        case ("skip", .number(let number)?): return .skip(number)
        case ("compute", _):
            var items: [WrittenComputeItem] = []
            for case .compute(let item) in written.arguments { items.append(item) }
            return .compute(try computed(items, in: &scope))
        case ("orderby", _):
            var items: [OrderItem] = []
            for case .order(let item) in written.arguments {
                items.append(try order(item, in: scope))
            }
            return .orderBy(items)
        case ("aggregate", _): return try aggregation(written, in: &scope)
        case ("groupby", .grouping(let groupings)?):
            return try grouping(
                groupings,
                sequence: written.arguments.dropFirst().first,
                in: &scope
            )
        case ("concat", _): return try concatenation(written, in: &scope)
        default: return try ranking(written, in: scope)
        }
    }

    private mutating func ranking(_ written: WrittenTransformation, in scope: BindingScope)
        throws(ODataURLError) -> BoundTransformation
    {
        guard let ranking = BoundTransformation.Ranking(rawValue: written.name),
            case .expression(let amount)? = written.arguments.first,
            case .expression(let value)? = written.arguments.last
        else {
            throw ODataURLError(
                .notSupported,
                at: written.offset,
                "the transformation \(written.name) is not offered",
                found: written.name
            )
        }
        let bound = try expression(amount, in: scope)
        guard case .literal(_, let form) = bound, form.isNumeric else {
            throw ODataURLError(
                .notSupported,
                at: amount.offset,
                "the first argument of \(written.name) must be a number",
                expected: ["a number"]
            )
        }
        let ranked = try expression(value, in: scope)
        try expectNoCollection(ranked, writtenAs: value)
        return .ranked(ranking, amount: bound, by: ranked)
    }

    private mutating func concatenation(
        _ written: WrittenTransformation,
        in scope: inout BindingScope
    ) throws(ODataURLError) -> BoundTransformation {
        var sequences: [[BoundTransformation]] = []
        var after: [BindingScope] = []
        for case .sequence(let sequence) in written.arguments {
            var inner = scope
            sequences.append(try transformations(sequence, in: &inner))
            after.append(inner)
        }
        merge(after, into: &scope)
        return .concat(sequences)
    }

    /// Gives a scope everything that any of the sequences leaves.
    private func merge(_ scopes: [BindingScope], into scope: inout BindingScope) {
        scope.computed = []
        for inner in scopes {
            for name in inner.computed
            where !scope.computed.contains(where: { $0.name == name.name }) {
                scope.computed.append(name)
            }
        }
        let all = scopes.map(\.grouped)
        scope.grouped = all.contains { $0 == nil } ? nil : all.flatMap { $0 ?? [] }
    }

    // MARK: aggregate

    private mutating func aggregation(
        _ written: WrittenTransformation,
        in scope: inout BindingScope
    ) throws(ODataURLError) -> BoundTransformation {
        var items: [BoundAggregate] = []
        var after = scope
        after.computed = []
        after.grouped = []
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
            return BoundAggregate(name: name, method: .count, collection: counted.path)
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

    /// Returns what `$count` at the end counts: rows, or a collection; nil where there is no `$count`.
    private mutating func counted(_ expression: WrittenExpression, in scope: BindingScope)
        throws(ODataURLError) -> (path: BoundPath?, Void)?
    {
        guard case .path(let members) = expression.node, case .count(nil)? = members.last?.kind
        else {
            return nil
        }
        guard members.count > 1 else { return (nil, ()) }
        guard case .count(let path, nil) = try self.path(members, in: scope, wanted: nil) else {
            return nil
        }
        return (path, ())
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

    // MARK: groupby

    private mutating func grouping(
        _ groupings: [WrittenGrouping],
        sequence: WrittenTransformation.Argument?,
        in scope: inout BindingScope
    ) throws(ODataURLError) -> BoundTransformation {
        var bound: [BoundGrouping] = []
        var kept: [[String]] = []
        var names: [(name: String, form: ScalarForm?)] = []
        for grouping in groupings {
            switch grouping {
            case .path(let path):
                bound.append(.path(try groupingPath(path, in: scope, kept: &kept, into: &names)))
            case .rollup(let levels, _):
                var paths: [BoundPath] = []
                for level in levels {
                    paths.append(try groupingPath(level, in: scope, kept: &kept, into: &names))
                }
                bound.append(.rollup(paths))
            case .rollupRecursive(let transformation):
                throw ODataURLError(
                    .notSupported,
                    at: transformation.offset,
                    "rolluprecursive is not offered"
                )
            }
        }
        var inner = scope
        var transformations: [BoundTransformation] = []
        if case .sequence(let written)? = sequence {
            transformations = try self.transformations(written, in: &inner)
        } else {
            inner.computed = []
        }
        scope.computed =
            names + inner.computed.filter { name in !names.contains { $0.name == name.name } }
        // A sequence that keeps entities leaves them whole.
        scope.grouped = sequence != nil && inner.grouped == nil ? nil : kept + (inner.grouped ?? [])
        return .groupBy(bound, transformations)
    }

    private mutating func groupingPath(
        _ path: [WrittenPathName],
        in scope: BindingScope,
        kept: inout [[String]],
        into names: inout [(name: String, form: ScalarForm?)]
    ) throws(ODataURLError) -> BoundPath {
        let members = path.map { WrittenMember(at: $0.offset, .name($0.name)) }
        let written = WrittenExpression(at: path[0].offset, .path(members))
        let bound = try self.path(members, in: scope, wanted: nil)
        try expectNoCollection(bound, writtenAs: written)
        guard case .path(var result) = bound, result.form != nil || result.type == nil,
            result.navigation == nil, !result.property.isEmpty
        else {
            throw ODataURLError(
                .notSupported,
                at: path[0].offset,
                "rows can be grouped by primitive properties only",
                expected: ["a path to a primitive property"]
            )
        }
        result.names = path.map(\.name)
        if result.isComputed {
            names.append((path[0].name, result.form))
        } else {
            kept.append(path.map(\.name))
        }
        return result
    }
}
