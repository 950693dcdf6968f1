import ODataURL
import ODataValues
import ODataModel

extension Binder {
    /// Binds the options on a resource or an expanded property.
    mutating func options(
        _ written: WrittenOptions,
        on subject: OptionSubject,
        isOutermost: Bool
    ) throws(ODataURLError) -> BoundOptions {
        let outer = aliases
        defer { aliases = outer }
        if !isOutermost { aliases = written.aliases + aliases }
        try refuseUnoffered(written)
        if !isOutermost, let place = written.place(of: .apply) {
            throw ODataURLError(.notSupported, at: place, "$apply is not offered inside $expand")
        }
        try refuseNegative(written)
        if !subject.isCollection { try refuseForSingle(written) }
        var scope = BindingScope(subject.item, isOutermost: isOutermost)
        if isOutermost { resource = [subject.item] }
        var options = BoundOptions()
        options.apply = try transformations(written.apply, in: &scope)
        options.grouped = scope.grouped.map { $0 + scope.computed.map { [$0.name] } }
        options.common = scope.common
        options.compute = try computed(written.compute, in: &scope)
        if let filter = written.filter { options.filter = try condition(filter, in: scope) }
        for item in written.orderBy { options.orderBy.append(try order(item, in: scope)) }
        options.search = written.search
        options.top = written.top
        options.skip = written.skip
        options.skipToken = written.skipToken
        options.deltaToken = written.deltaToken
        options.count = written.count ?? false
        options.levels = written.levels
        options.format = written.format
        try selectAndExpand(written, subject: subject, in: scope, options: &options)
        return options
    }

    /// Refuses numbers that no URL can have (OData 4.01 Part 2 §§ 5.1.5): a query made in Swift may.
    private func refuseNegative(_ written: WrittenOptions) throws(ODataURLError) {
        for (name, number) in [("$top", written.top), ("$skip", written.skip)] {
            guard let number, number < 0 else { continue }
            throw ODataURLError(.meaning, at: 0, "\(name) takes no negative number: \(number)")
        }
    }

    private func refuseUnoffered(_ written: WrittenOptions) throws(ODataURLError) {
        for option in [
            SystemQueryOption.index, .id, .at, .from, .to, .toInclusive,
        ] {
            guard let place = written.place(of: option) else { continue }
            throw ODataURLError(.notSupported, at: place, "$\(option.rawValue) is not offered here")
        }
    }

    /// Refuses what has a meaning for collections only (OData 4.01 Part 1 § 11.2.6).
    private func refuseForSingle(_ written: WrittenOptions) throws(ODataURLError) {
        for option in [SystemQueryOption.filter, .orderby, .top, .skip, .search, .count, .apply] {
            guard let place = written.place(of: option) else { continue }
            throw ODataURLError(
                .meaning,
                at: place,
                "$\(option.rawValue) has a meaning for collections only"
            )
        }
    }

    mutating func order(_ item: WrittenOrderItem, in scope: BindingScope)
        throws(ODataURLError) -> OrderItem
    {
        let bound = try expression(item.expression, in: scope)
        try expectNoCollection(bound, writtenAs: item.expression)
        if bound.form == .binary || bound.form == nil && !isUntyped(bound) {
            throw ODataURLError(
                .type,
                at: item.expression.offset,
                "values of this kind have no order",
                expected: ["a primitive value"]
            )
        }
        return OrderItem(expression: bound, isDescending: item.isDescending)
    }

    /// Refuses to select what grouping has left nothing of.
    private func expectLeft(_ item: WrittenSelectItem, in scope: BindingScope)
        throws(ODataURLError)
    {
        let names = item.path.map(\.name).filter { !$0.utf8.contains(Byte.dot) }
        guard let grouped = scope.grouped, let first = item.path.first, let name = names.first,
            name != "*", !scope.computed.contains(where: { $0.name == name }),
            !grouped.contains(where: { names.starts(with: $0) || $0.starts(with: names) })
        else { return }
        throw ODataURLError(
            .unknownName,
            at: first.offset,
            "\(name) does not exist after $apply",
            found: name,
            expected: grouped.map { $0.joined(separator: "/") } + scope.computed.map(\.name)
        )
    }

    private mutating func selectAndExpand(
        _ written: WrittenOptions,
        subject: OptionSubject,
        in scope: BindingScope,
        options: inout BoundOptions
    ) throws(ODataURLError) {
        let type: StructuredTypeID
        var source: NavigationSource?
        switch subject.item {
        case .entity(let id, let place): (type, source) = (id, place)
        case .complex(let id): type = id
        case .value:
            guard let place = written.place(of: .select) ?? written.place(of: .expand) else {
                return
            }
            throw ODataURLError(.meaning, at: place, "primitive values have no properties")
        }
        if scope.grouped != nil, let place = written.place(of: .expand) {
            throw ODataURLError(
                .notSupported,
                at: place,
                "grouped rows are no entities and cannot be expanded"
            )
        }
        for item in written.expand {
            try expand(item, of: type, from: source, into: &options.expand)
        }
        if let select = written.select {
            for item in select { try expectLeft(item, in: scope) }
            options.linked = select.compactMap { navigationProperty($0, of: type) }
            options.select = try selection(
                select,
                of: type,
                computed: scope.computed.map(\.name),
                into: &options
            )
        }
    }
}
