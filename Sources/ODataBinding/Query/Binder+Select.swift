import ODataURL
import ODataModel

extension Binder {
    /// Binds `$select` (OData 4.01 Part 2 § 5.1.4); before version 4 it also says what of expanded entities is answered.
    mutating func selection(
        _ items: [WrittenSelectItem],
        of type: StructuredTypeID,
        computed: [String] = [],
        into options: inout BoundOptions
    ) throws(ODataURLError) -> BoundSelect {
        var paths: [[String]] = []
        var isEverything = items.isEmpty
        for item in items {
            if item.path.count == 1, item.path[0].name == "*" {
                try refuseOptions(of: item, named: "*")
                isEverything = true
                continue
            }
            if item.path.count == 1, computed.contains(item.path[0].name) {
                paths.append([item.path[0].name])
                continue
            }
            if !version.isV4, try selectsExpanded(item, of: type, expands: &options.expand) {
                continue
            }
            paths += try self.paths(of: item, type, into: &options)
        }
        return isEverything ? .everything : .paths(paths)
    }

    /// Returns the paths of an item; none for operations, which answers never hold, and for navigation properties.
    private mutating func paths(
        of item: WrittenSelectItem,
        _ type: StructuredTypeID,
        into options: inout BoundOptions
    ) throws(ODataURLError) -> [[String]] {
        var owner = type
        var path: [String] = []
        var way: [TypeReference] = []
        for (index, part) in item.path.enumerated() {
            let name = model.castName(part.name, of: owner)
            if name.utf8.first == Byte.at { return [] }
            if name == "*" { return [path] }
            if name.utf8.contains(Byte.dot) {
                if index == item.path.count - 1, isOperation(name) { return [] }
                owner = try cast(name, from: owner, at: part.offset)
                // Casts of entities are left out: properties of a hierarchy are found by name.
                if !path.isEmpty { path.append(model[owner].name) }
                continue
            }
            if let property = model.property(name, of: owner) {
                path.append(name)
                way.append(property.type)
                guard case .structured(let next) = property.type.type else {
                    try expectNothing(after: index, in: item)
                    return try nested(item, self.item(of: property.type), path, way, into: &options)
                }
                owner = next
                continue
            }
            if model.navigationProperty(name, of: owner) != nil {
                try expectNoPath(after: index, in: item)
                try refuseOptions(of: item, named: name)
                return []
            }
            if isOperation(name) { return [] }
            guard model.isOpen(owner) else { throw unknownMember(part, owner: owner) }
            try expectNoOptions(item)
            return [path + item.path[index...].map(\.name)]
        }
        return try nested(item, .complex(owner), path, way, into: &options)
    }

    /// Refuses properties of related entities: `$expand` has a selection of its own (OData ABNF `selectItem`).
    private func expectNoPath(after index: Int, in item: WrittenSelectItem) throws(ODataURLError) {
        guard version.isV4, index + 1 < item.path.count else { return }
        let next = item.path[index + 1]
        throw ODataURLError(
            .meaning,
            at: next.offset,
            "$select names properties of the entity itself",
            found: next.name,
            expected: ["$expand=\(item.path[index].name)($select=\(next.name))"]
        )
    }

    /// The navigation property that an item names, with the type before it that declares it or without.
    func navigationProperty(_ item: WrittenSelectItem, of type: StructuredTypeID)
        -> NavigationPropertyID?
    {
        guard let last = item.path.last, item.path.count <= 2 else { return nil }
        let first = model.castName(item.path[0].name, of: type)
        let cast = item.path.count == 2 ? model.structuredType(named: first) : type
        return cast.flatMap { model.navigationProperty(last.name, of: $0) }
    }

    private func isOperation(_ name: String) -> Bool {
        if name.utf8.last == Byte.star { return true }
        let resolved = model.resolvingAlias(name) ?? name
        return model.operations.contains { operation in
            operation.name == resolved
                || operation.name.split(separator: ".").last.map { String($0) == name } ?? false
        }
    }

    private func expectNothing(after index: Int, in item: WrittenSelectItem) throws(ODataURLError) {
        guard index + 1 < item.path.count else { return }
        let extra = item.path[index + 1]
        throw ODataURLError(
            .meaning,
            at: extra.offset,
            "a primitive value has no \(extra.name)",
            found: extra.name
        )
    }

    func unknownMember(_ part: WrittenPathName, owner: StructuredTypeID) -> ODataURLError {
        let names =
            model.properties(of: owner).map(\.name)
            + model.navigationProperties(of: owner).map(\.name)
        return unknown(part.name, at: part.offset, what: model[owner].name, among: names)
    }

    /// Refuses options of a navigation property and of `*`: those of `$expand` are meant.
    private func refuseOptions(of item: WrittenSelectItem, named name: String)
        throws(ODataURLError)
    {
        guard let first = item.options?.places.first else { return }
        throw ODataURLError(
            .meaning,
            at: first.offset,
            "\(name) takes no options in $select",
            expected: name == "*" ? [] : ["$expand=\(name)(…)"]
        )
    }

    /// Refuses nested options on a dynamic property: its type differs from entity to entity.
    private func expectNoOptions(_ item: WrittenSelectItem) throws(ODataURLError) {
        guard let first = item.options?.places.first else { return }
        throw ODataURLError(
            .notSupported,
            at: first.offset,
            "$\(first.option.rawValue) of a property that the metadata does not declare is not offered"
        )
    }

    /// Binds the options in the parentheses behind a property (OData 4.01 Part 2 § 5.1.4), and returns the paths that they select.
    ///
    /// - Parameters:
    ///   - subject: One value of the property.
    ///   - way: The types of the properties on the way, its own last.
    private mutating func nested(
        _ item: WrittenSelectItem,
        _ subject: BoundVariable.Item,
        _ path: [String],
        _ way: [TypeReference],
        into options: inout BoundOptions
    ) throws(ODataURLError) -> [[String]] {
        guard let written = item.options else { return path.isEmpty ? [] : [path] }
        if let place = written.place(of: .compute) {
            throw ODataURLError(
                .notSupported,
                at: place,
                "$compute inside $select is not offered; compute the value in a $compute of the entity"
            )
        }
        let isCollection = way.last?.isCollection ?? false
        expandDepth += 1
        defer { expandDepth -= 1 }
        let inner = try self.options(
            written,
            on: OptionSubject(item: subject, isCollection: isCollection),
            isOutermost: false
        )
        var chosen = inner.items.map { BoundItems(path: path + $0.path, options: $0.options) }
        if isCollection, inner.choosesItems || inner.count || !inner.items.isEmpty {
            try expectNoCollectionAround(way, inner, written)
            chosen = [BoundItems(path: path, options: inner)]
        }
        for items in chosen { try expectFirst(items, in: options, item) }
        options.items += chosen
        guard let selected = inner.select.paths else { return [path] }
        return selected.map { path + $0 }
    }

    /// Refuses a second set of nested options on a collection: they cannot both apply.
    private func expectFirst(
        _ items: BoundItems,
        in options: BoundOptions,
        _ item: WrittenSelectItem
    ) throws(ODataURLError) {
        guard options.items.contains(where: { $0.path == items.path }) else { return }
        let name = items.path.joined(separator: "/")
        throw ODataURLError(
            .meaning,
            at: item.path.first?.offset ?? 0,
            "$select has options of \(name) twice; give them once, separated by semicolons",
            found: name
        )
    }

    /// Refuses nested options on a collection inside the items of another collection.
    private func expectNoCollectionAround(
        _ way: [TypeReference],
        _ inner: BoundOptions,
        _ written: WrittenOptions
    ) throws(ODataURLError) {
        guard !inner.items.isEmpty || way.dropLast().contains(where: \.isCollection),
            let place = written.places.first?.offset
        else { return }
        throw ODataURLError(
            .notSupported,
            at: place,
            "a collection inside of the items of a collection is answered whole: leave $filter, $orderby, $top, $skip, $count and $search of it out"
        )
    }

    // MARK: Versions 1 to 3

    /// Takes `Navigation/Property`; false where the item names no expanded property.
    private mutating func selectsExpanded(
        _ item: WrittenSelectItem,
        of type: StructuredTypeID,
        expands: inout [BoundExpand]
    ) throws(ODataURLError) -> Bool {
        guard let first = item.path.first,
            let navigation = model.navigationProperty(first.name, of: type)
        else { return false }
        guard let index = expands.firstIndex(where: { $0.navigation == navigation }) else {
            return true
        }
        let rest = WrittenSelectItem(path: Array(item.path.dropFirst()))
        guard let target = model[navigation].target, !rest.path.isEmpty else { return true }
        let inner = try selection([rest], of: target, into: &expands[index].options)
        switch (expands[index].options.select, inner) {
        case (.paths(let old), .paths(let new)): expands[index].options.select = .paths(old + new)
        default: expands[index].options.select = inner
        }
        return true
    }
}
