import ODataText
import ODataURL
import ODataValues
import ODataModel

/// `$all` and `$crossjoin` (OData 4.01 Part 2 §§ 4.12, 4.15).
extension Binder {
    func all(_ walk: ResourceWalk) throws(ODataURLError) -> BoundResource {
        guard let next = walk.after(0) else { return .all(nil) }
        guard let name = next.name, next.groups.isEmpty,
            let type = model.structuredType(named: model.qualifiedType(name) ?? name),
            model[type].kind == .entity
        else {
            throw ODataURLError(
                .unknownName,
                at: next.offset,
                "only an entity type can follow $all",
                found: next.text,
                suggestion: NearestName.of(
                    next.text,
                    among: model.structuredTypes.filter { $0.kind == .entity }.map(\.name)
                )
            )
        }
        if let extra = walk.after(1) {
            throw ODataURLError(.meaning, at: extra.offset, "nothing can follow", found: extra.text)
        }
        return .all(type)
    }

    /// Binds the options of `$all`: without a type its entities have nothing in common that they could ask for.
    mutating func allOptions(_ written: WrittenOptions, of type: StructuredTypeID?)
        throws(ODataURLError) -> BoundOptions
    {
        let refused: [SystemQueryOption] =
            type == nil
            ? [.filter, .orderby, .select, .expand, .compute, .apply]
            : [.orderby, .apply, .expand]
        for option in refused {
            guard let place = written.place(of: option) else { continue }
            throw ODataURLError(
                .notSupported,
                at: place,
                "$\(option.rawValue) is not offered for $all"
            )
        }
        guard let type else {
            var options = BoundOptions()
            options.search = written.search
            options.top = written.top
            options.skip = written.skip
            options.skipToken = written.skipToken
            options.count = written.count ?? false
            options.format = written.format
            return options
        }
        return try options(written, on: OptionSubject(item: .entity(type, nil)), isOutermost: true)
    }

    // MARK: $crossjoin

    func crossjoin(_ segment: WrittenSegment, walk: ResourceWalk) throws(ODataURLError)
        -> [NavigationSource]
    {
        if let extra = walk.after(0) {
            throw ODataURLError(
                extra.name == "$count" ? .notSupported : .meaning,
                at: extra.offset,
                "nothing can follow",
                found: extra.text
            )
        }
        var sources: [NavigationSource] = []
        for written in segment.crossjoin {
            guard let source = model.navigationSource(named: written.name), case .entitySet = source
            else {
                throw unknown(
                    written.name,
                    at: written.offset,
                    what: "the service",
                    among: model.container.entitySets.map(\.name)
                )
            }
            guard !sources.contains(source) else {
                throw ODataURLError(.meaning, at: written.offset, "the set is given twice")
            }
            sources.append(source)
        }
        return sources
    }

    /// Binds the options of a cross join: every path begins with the name of a set.
    mutating func crossjoinOptions(_ written: WrittenOptions, sources: [NavigationSource])
        throws(ODataURLError) -> BoundOptions
    {
        for option in [SystemQueryOption.search, .select, .compute, .apply] {
            guard let place = written.place(of: option) else { continue }
            throw ODataURLError(
                .notSupported,
                at: place,
                "$\(option.rawValue) is not offered for $crossjoin"
            )
        }
        let nothing = TypeReference(.untyped("Edm.ComplexType"))
        var scope = BindingScope(.value(nothing, nil), isOutermost: false)
        for source in sources {
            guard let type = model.entityType(of: source) else { continue }
            scope = scope.entering(model.name(of: source), over: .entity(type, source))
        }
        var options = BoundOptions()
        if let filter = written.filter { options.filter = try condition(filter, in: scope) }
        for item in written.orderBy { options.orderBy.append(try order(item, in: scope)) }
        options.top = written.top
        options.skip = written.skip
        options.skipToken = written.skipToken
        options.count = written.count ?? false
        options.format = written.format
        for item in written.expand { options.joined.append(try joined(item, sources: sources)) }
        return options
    }

    /// Binds an expanded set with its options.
    private mutating func joined(_ item: WrittenExpandItem, sources: [NavigationSource])
        throws(ODataURLError) -> BoundJoined
    {
        guard item.path.count == 1, case .none = item.suffix,
            let source = sources.first(where: { model.name(of: $0) == item.path[0].name }),
            let type = model.entityType(of: source)
        else {
            throw ODataURLError(
                .meaning,
                at: item.path[0].offset,
                "only sets of the cross join can be expanded",
                found: item.path[0].name,
                expected: sources.map { model.name(of: $0) }
            )
        }
        let subject = OptionSubject(item: .entity(type, source), isCollection: false)
        let inner = try options(item.options ?? WrittenOptions(), on: subject, isOutermost: false)
        return BoundJoined(source: source, options: inner)
    }
}
