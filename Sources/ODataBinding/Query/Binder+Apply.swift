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
            try expectPlainValue(expression, writtenAs: item.expression)
            try define(item.name, as: expression.form, at: item.offset, in: &scope)
            bound.append(BoundCompute(name: item.name, expression: expression))
        }
        return bound
    }

    /// Adds a name to the scope; it must be new there.
    func define(
        _ name: String,
        as form: ScalarForm?,
        at offset: Int,
        in scope: inout BindingScope
    ) throws(ODataURLError) {
        var isTaken = scope.computed.contains { $0.name == name }
        // Rows that were grouped are of the type still (OData Data Aggregation 4.0 § 3.1.1).
        if case .entity(let type, _) = scope.implicit.item {
            isTaken =
                isTaken || model.property(name, of: type) != nil
                || model.navigationProperty(name, of: type) != nil
        }
        guard !isTaken else {
            throw ODataURLError(.meaning, at: offset, "the name \(name) is taken", found: name)
        }
        scope.computed.append((name, form))
        scope.common?.append([name])
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
        scope.common = common(scopes)
    }

    /// The paths that rows of all of the scopes have; nil where all have those of one.
    private func common(_ scopes: [BindingScope]) -> [[String]]? {
        guard let first = scopes.first else { return nil }
        let isSame = scopes.allSatisfy {
            $0.common == nil && $0.present == first.present
                && ($0.grouped == nil) == (first.grouped == nil)
        }
        guard !isSame else { return nil }
        // Of entities alone, the properties of the type go without saying.
        if scopes.allSatisfy({ $0.grouped == nil && $0.common == nil }) { return nil }
        var all: [[String]] = []
        for path in scopes.flatMap(\.present) where !all.contains(path) { all.append(path) }
        return all.filter { path in scopes.allSatisfy { has(path, $0) } }
    }

    private func has(_ path: [String], _ scope: BindingScope) -> Bool {
        if scope.present.contains(path) { return true }
        guard scope.grouped == nil, scope.common == nil, path.count == 1,
            case .entity(let type, _) = scope.implicit.item
        else { return false }
        return model.property(path[0], of: type) != nil
    }

    // MARK: groupby

    private mutating func grouping(
        _ groupings: [WrittenGrouping],
        sequence: WrittenTransformation.Argument?,
        in scope: inout BindingScope
    ) throws(ODataURLError) -> BoundTransformation {
        var bound: [BoundGrouping] = []
        var kept: [[String]] = []
        var rolledUp: [[String]] = []
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
                rolledUp += levels.dropFirst().map { $0.map(\.name) }
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
        if sequence == nil { inner.common = nil }
        scope.common = common(inner, kept: kept + names.map { [$0.name] }, rolledUp: rolledUp)
        scope.computed =
            names + inner.computed.filter { name in !names.contains { $0.name == name.name } }
        // A sequence that keeps entities leaves them whole.
        scope.grouped = sequence != nil && inner.grouped == nil ? nil : kept + (inner.grouped ?? [])
        return .groupBy(bound, transformations)
    }

    /// The paths that all rows have after grouping; nil where all have the same: what was rolled up some have not.
    private func common(_ inner: BindingScope, kept: [[String]], rolledUp: [[String]])
        -> [[String]]?
    {
        guard !rolledUp.isEmpty || inner.common != nil else { return nil }
        // Entities have what they were grouped by.
        guard inner.grouped != nil || inner.common != nil else { return nil }
        let keys = kept.filter { !rolledUp.contains($0) }
        return keys + inner.present.filter { !keys.contains($0) && !rolledUp.contains($0) }
    }

    private mutating func groupingPath(
        _ path: [WrittenPathName],
        in scope: BindingScope,
        kept: inout [[String]],
        into names: inout [(name: String, form: ScalarForm?)]
    ) throws(ODataURLError) -> BoundPath {
        if let cast = path.first(where: { $0.name.utf8.contains(Byte.dot) }) {
            throw ODataURLError(
                .notSupported,
                at: cast.offset,
                "grouping by properties of derived types is not offered",
                found: cast.name
            )
        }
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
