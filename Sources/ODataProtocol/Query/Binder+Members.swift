import ODataModel

extension Binder {
    /// Binds segments between slashes.
    mutating func path(_ members: [WrittenMember], _ scope: BindingScope, _ wanted: ScalarForm?)
        throws(ODataURLError) -> BoundExpression
    {
        var rest = members[...]
        guard let first = rest.first else { return .null }
        switch first.kind {
        case .alias(let name): return try alias(name, first.offset, rest.dropFirst(), scope, wanted)
        case .call(let name, let arguments):
            if let bound = try call(name, arguments, first.offset, rest.dropFirst(), scope) {
                return bound
            }
        default: break
        }
        let walk = try start(&rest, scope)
        return try follow(rest, from: walk, scope)
    }

    /// Takes the segments that are left.
    mutating func follow(
        _ rest: ArraySlice<WrittenMember>,
        from start: MemberWalk,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        var walk = start
        var rest = rest
        while let member = rest.first {
            rest = rest.dropFirst()
            if let bound = try terminal(member, walk, rest, scope) { return bound }
            try walk.follow(member, in: self)
        }
        return walk.result
    }

    // MARK: The beginning

    /// Takes the variable that a path begins with, or the implicit one.
    private func start(_ rest: inout ArraySlice<WrittenMember>, _ scope: BindingScope)
        throws(ODataURLError) -> MemberWalk
    {
        guard let first = rest.first else { return MemberWalk(scope.implicit) }
        switch first.kind {
        case .variable("$it"):
            guard let it = scope.it else {
                throw ODataURLError(
                    .notSupported,
                    at: first.offset,
                    "$it inside $expand, where it means the entity of the resource path, is not offered"
                )
            }
            rest = rest.dropFirst()
            return MemberWalk(it)
        case .variable("$this"):
            rest = rest.dropFirst()
            return MemberWalk(scope.implicit)
        case .variable:
            throw ODataURLError(.notSupported, at: first.offset, "$root is not offered here")
        case .name(let name):
            if let variable = scope.lambda(named: name) {
                rest = rest.dropFirst()
                return MemberWalk(variable)
            }
            if let computed = scope.computed.first(where: { $0.name == name }) {
                rest = rest.dropFirst()
                var path = BoundPath(variable: scope.implicit.variable, property: [name])
                path.form = computed.form
                path.isComputed = true
                return MemberWalk(path, .dynamic)
            }
            try expectGrouped(rest, scope)
            return MemberWalk(scope.implicit)
        default: return MemberWalk(scope.implicit)
        }
    }

    /// Refuses paths that grouping has taken away.
    private func expectGrouped(_ rest: ArraySlice<WrittenMember>, _ scope: BindingScope)
        throws(ODataURLError)
    {
        guard let grouped = scope.grouped, let first = rest.first else { return }
        let names = rest.map { member in
            if case .name(let name) = member.kind { name } else { "" }
        }
        guard !grouped.contains(where: { names.starts(with: $0) || $0.starts(with: names) }) else {
            return
        }
        let known = grouped.map { $0.joined(separator: "/") } + scope.computed.map(\.name)
        throw ODataURLError(
            .unknownName,
            at: first.offset,
            "\(names[0]) is not there after $apply",
            found: names[0],
            expected: known
        )
    }

    /// Binds the value of an alias in the place where it is used (OData 4.01 Part 2 § 5.3).
    private mutating func alias(
        _ name: String,
        _ offset: Int,
        _ rest: ArraySlice<WrittenMember>,
        _ scope: BindingScope,
        _ wanted: ScalarForm?
    ) throws(ODataURLError) -> BoundExpression {
        guard rest.isEmpty else {
            throw ODataURLError(.notSupported, at: offset, "a path cannot begin with an alias here")
        }
        // An alias without value stands for null.
        guard let found = aliases.first(where: { $0.name == name }) else { return .null }
        guard aliasDepth < Self.maximumAliasDepth else {
            throw ODataURLError(.limit, at: offset, "aliases refer to each other without end")
        }
        aliasDepth += 1
        defer { aliasDepth -= 1 }
        return try expression(found.value, scope, wanted: wanted)
    }

    // MARK: The end

    /// Binds a segment that gives a value of its own: a lambda, a count.
    private mutating func terminal(
        _ member: WrittenMember,
        _ walk: MemberWalk,
        _ rest: ArraySlice<WrittenMember>,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression? {
        switch member.kind {
        case .lambda(let quantifier, let name, let condition):
            try expectLast(rest)
            return try lambda(quantifier, name, condition, walk, member.offset, nil, scope)
        case .count(let options):
            try expectLast(rest)
            return try count(options, walk, member.offset, nil, scope)
        case .filter(let condition):
            return try filtered(condition, walk, member.offset, rest, scope)
        default: return nil
        }
    }

    private func expectLast(_ rest: ArraySlice<WrittenMember>) throws(ODataURLError) {
        guard let extra = rest.first else { return }
        throw ODataURLError(.meaning, at: extra.offset, "nothing can follow here")
    }

    /// Binds `/$filter(…)` with the `any`, `all` or `$count` that must follow.
    private mutating func filtered(
        _ condition: WrittenExpression,
        _ walk: MemberWalk,
        _ offset: Int,
        _ rest: ArraySlice<WrittenMember>,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression? {
        guard let next = rest.first, rest.count == 1 else {
            throw ODataURLError(
                .meaning,
                at: rest.first?.offset ?? offset,
                "a filtered collection must be counted or quantified",
                expected: ["$count", "any(…)", "all(…)"]
            )
        }
        switch next.kind {
        case .lambda(let quantifier, let name, let inner):
            return try lambda(quantifier, name, inner, walk, next.offset, condition, scope)
        case .count(let options): return try count(options, walk, next.offset, condition, scope)
        default:
            throw ODataURLError(
                .notSupported,
                at: next.offset,
                "only $count, any and all can follow $filter here"
            )
        }
    }

    private mutating func lambda(
        _ quantifier: BoundLambda.Quantifier,
        _ name: String?,
        _ condition: WrittenExpression?,
        _ walk: MemberWalk,
        _ offset: Int,
        _ filter: WrittenExpression?,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (collection, item) = try walk.collection(offset, in: self)
        let inner = scope.entering(name, over: item)
        let variable = inner.lambdas[inner.lambdas.count - 1].variable.variable
        var bound: BoundExpression?
        if let condition { bound = try self.condition(condition, inner) }
        if let filter {
            let kept = try self.condition(filter, scope.entering(nil, over: item))
            bound =
                quantifier == .any
                ? .and([kept] + (bound.map { [$0] } ?? []))
                : bound.map {
                    .or([.not(kept), $0])
                }
        }
        return .lambda(
            BoundLambda(quantifier, over: collection, variable: variable, condition: bound)
        )
    }

    private mutating func count(
        _ options: WrittenOptions?,
        _ walk: MemberWalk,
        _ offset: Int,
        _ filter: WrittenExpression?,
        _ scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (collection, item) = try walk.collection(offset, in: self)
        if let search = options?.place(of: .search) {
            throw ODataURLError(.notSupported, at: search, "$search inside $count is not offered")
        }
        let inner = scope.entering(nil, over: item)
        var conditions: [BoundExpression] = []
        for written in [filter, options?.filter] {
            if let written { conditions.append(try condition(written, inner)) }
        }
        guard let first = conditions.first else { return .count(collection, filter: nil) }
        let variable = inner.lambdas[inner.lambdas.count - 1].variable.variable
        return .count(
            collection,
            filter: BoundLambda(
                .any,
                over: collection,
                variable: variable,
                condition: conditions.count == 1 ? first : .and(conditions)
            )
        )
    }
}
