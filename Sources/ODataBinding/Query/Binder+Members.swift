import ODataURL
import ODataValues
import ODataModel

extension Binder {
    /// Binds segments between slashes.
    mutating func path(_ members: [WrittenMember], in scope: BindingScope, wanted: ScalarForm?)
        throws(ODataURLError) -> BoundExpression
    {
        var rest = members[...]
        guard let first = rest.first else { return .null }
        switch first.kind {
        case .alias(let name):
            return try alias(
                name,
                at: first.offset,
                rest: rest.dropFirst(),
                in: scope,
                wanted: wanted
            )
        case .call(let name, let arguments):
            if let bound = try call(
                name,
                arguments: arguments,
                at: first.offset,
                rest: rest.dropFirst(),
                in: scope
            ) {
                return bound
            }
        case .variable("$root"): return try root(rest.dropFirst(), at: first.offset)
        case .variable("$these"): return try these(rest.dropFirst(), at: first.offset, in: scope)
        default: break
        }
        let walk = try start(&rest, in: scope)
        let bound = try follow(rest, from: walk, in: scope)
        guard scope.grouped != nil, case .path(var path) = bound else { return bound }
        path.names = members.names
        return .path(path)
    }

    /// Binds a property of an entity named from the service root (OData 4.01 Part 2 § 5.1.1.14.2).
    private mutating func root(_ rest: ArraySlice<WrittenMember>, at offset: Int)
        throws(ODataURLError) -> BoundExpression
    {
        var segments: [WrittenSegment] = []
        for member in rest {
            var groups: [[WrittenArgument]] = []
            let name: String
            switch member.kind {
            case .name(let text): name = text
            case .call(let text, let arguments): (name, groups) = (text, [arguments])
            default:
                throw ODataURLError(
                    .notSupported,
                    at: member.offset,
                    "$root reaches properties of single entities only"
                )
            }
            segments.append(
                WrittenSegment(
                    offset: member.offset,
                    text: name,
                    name: name,
                    groups: groups,
                    crossjoin: []
                )
            )
        }
        var walk = ResourceWalk(segments: segments)
        guard case .entities(let path) = try resource(&walk), path.isSingle(in: model),
            case .property(let names, isRaw: false) = path.target,
            let reference = walk.propertyType, !reference.isCollection,
            let form = ScalarForm(reference, in: model)
        else {
            throw ODataURLError(
                .notSupported,
                at: offset,
                "$root reaches primitive properties of single entities only",
                expected: ["$root/Set(key)/Property"]
            )
        }
        return .root(BoundRoot(path: path, property: names, form: form))
    }

    /// Binds `$these/aggregate(…)` and `$these/$count`: values of the whole collection that a transformation works on.
    private mutating func these(
        _ rest: ArraySlice<WrittenMember>,
        at offset: Int,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        guard scope.isTransforming else {
            throw ODataURLError(.meaning, at: offset, "$these has a meaning inside $apply only")
        }
        guard rest.count == 1, let member = rest.first else {
            throw ODataURLError(
                .notSupported,
                at: offset,
                "$these can be aggregated or counted only",
                expected: ["$these/aggregate(…)", "$these/$count"]
            )
        }
        switch member.kind {
        case .count(nil): return .these(BoundAggregate(name: "", method: .count))
        case .aggregate(var item):
            item.alias = ""
            let aggregate = try aggregate(item, in: scope)
            guard aggregate.collection == nil else { break }
            return .these(aggregate)
        default: break
        }
        throw ODataURLError(
            .notSupported,
            at: member.offset,
            "$these can be aggregated or counted only"
        )
    }

    /// Takes the segments that are left.
    mutating func follow(
        _ rest: ArraySlice<WrittenMember>,
        from start: MemberWalk,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        var walk = start
        var rest = rest
        while let member = rest.first {
            rest = rest.dropFirst()
            if let bound = try terminal(member, walk: walk, rest: rest, in: scope) { return bound }
            try walk.follow(member, in: self)
        }
        return walk.result
    }

    // MARK: The beginning

    /// Takes the variable that a path begins with, or the implicit one.
    private func start(_ rest: inout ArraySlice<WrittenMember>, in scope: BindingScope)
        throws(ODataURLError) -> MemberWalk
    {
        guard let first = rest.first else { return MemberWalk(scope.implicit) }
        switch first.kind {
        case .variable("$it"):
            guard let it = scope.it ?? outerEntity else {
                throw ODataURLError(
                    .notSupported,
                    at: first.offset,
                    "$it is offered in the options of a resource path and of its own expanded properties, not deeper"
                )
            }
            rest = rest.dropFirst()
            return MemberWalk(it)
        case .variable("$this"):
            rest = rest.dropFirst()
            return MemberWalk(scope.implicit)
        case .variable(let name):
            throw ODataURLError(.meaning, at: first.offset, "\(name) cannot stand here")
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
                return MemberWalk(path, at: .dynamic)
            }
            try expectGrouped(rest, in: scope)
            return MemberWalk(scope.implicit)
        default: return MemberWalk(scope.implicit)
        }
    }

    /// The entity of the resource path, in the options of a property that is expanded of it.
    private var outerEntity: BoundVariable? {
        guard expandDepth == 1, let item = resource.first, case .entity = item else { return nil }
        return BoundVariable(variable: .outer, item: item)
    }

    /// Refuses paths that grouping has taken away.
    private func expectGrouped(_ rest: ArraySlice<WrittenMember>, in scope: BindingScope)
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
            "\(names[0]) does not exist after $apply",
            found: names[0],
            expected: known
        )
    }

    /// Binds the value of an alias in the place where it is used (OData 4.01 Part 2 § 5.3).
    private mutating func alias(
        _ name: String,
        at offset: Int,
        rest: ArraySlice<WrittenMember>,
        in scope: BindingScope,
        wanted: ScalarForm?
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
        return try expression(found.value, in: scope, wanted: wanted)
    }

    // MARK: The end

    /// Binds a segment that gives a value of its own: a lambda, a count.
    private mutating func terminal(
        _ member: WrittenMember,
        walk: MemberWalk,
        rest: ArraySlice<WrittenMember>,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression? {
        switch member.kind {
        case .lambda(let quantifier, let name, let condition):
            try expectLast(rest)
            return try lambda(
                quantifier,
                named: name,
                where: condition,
                walk: walk,
                at: member.offset,
                filter: nil,
                in: scope
            )
        case .count(let options):
            try expectLast(rest)
            return try count(options, walk: walk, at: member.offset, filter: nil, in: scope)
        case .filter(let condition):
            return try filtered(condition, walk: walk, at: member.offset, rest: rest, in: scope)
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
        walk: MemberWalk,
        at offset: Int,
        rest: ArraySlice<WrittenMember>,
        in scope: BindingScope
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
            return try lambda(
                quantifier,
                named: name,
                where: inner,
                walk: walk,
                at: next.offset,
                filter: condition,
                in: scope
            )
        case .count(let options):
            return try count(options, walk: walk, at: next.offset, filter: condition, in: scope)
        default:
            throw ODataURLError(
                .notSupported,
                at: next.offset,
                "only $count, any and all can follow $filter here"
            )
        }
    }

    private mutating func lambda(
        _ quantifier: Quantifier,
        named name: String?,
        where condition: WrittenExpression?,
        walk: MemberWalk,
        at offset: Int,
        filter: WrittenExpression?,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (collection, item) = try walk.collection(offset, in: self)
        let inner = scope.entering(name, over: item)
        let variable = inner.lambdas[inner.lambdas.count - 1].variable.variable
        var bound: BoundExpression?
        if let condition { bound = try self.condition(condition, in: inner) }
        if let filter {
            let kept = try self.condition(filter, in: scope.entering(nil, over: item))
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
        walk: MemberWalk,
        at offset: Int,
        filter: WrittenExpression?,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        let (collection, item) = try walk.collection(offset, in: self)
        if let place = options?.place(of: .search), case .value = item {
            throw ODataURLError(.meaning, at: place, "primitive values cannot be searched")
        }
        let inner = scope.entering(nil, over: item)
        var conditions: [BoundExpression] = []
        for written in [filter, options?.filter] {
            if let written { conditions.append(try condition(written, in: inner)) }
        }
        let search = options?.search
        guard !conditions.isEmpty || search != nil else { return .count(collection, filter: nil) }
        var filter = BoundLambda(
            .any,
            over: collection,
            variable: inner.lambdas[inner.lambdas.count - 1].variable.variable,
            condition: conditions.count > 1 ? .and(conditions) : conditions.first
        )
        filter.search = search
        return .count(collection, filter: filter)
    }
}

extension [WrittenMember] {
    /// The names of a path; variables and what is no name are left out.
    var names: [String] {
        compactMap { member in
            if case .name(let name) = member.kind { name } else { nil }
        }
    }
}
