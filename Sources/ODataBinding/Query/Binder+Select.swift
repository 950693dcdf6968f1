import ODataURL
import ODataModel

extension Binder {
    /// Binds `$select` (OData 4.01 Part 2 § 5.1.4); before version 4 it also says what of expanded entities is answered.
    func selection(
        _ items: [WrittenSelectItem],
        of type: StructuredTypeID,
        computed: [String] = [],
        expands: inout [BoundExpand]
    ) throws(ODataURLError) -> BoundSelect {
        var paths: [[String]] = []
        var isEverything = items.isEmpty
        for item in items {
            if item.path.count == 1, item.path[0].name == "*" {
                isEverything = true
                continue
            }
            if item.path.count == 1, computed.contains(item.path[0].name) {
                paths.append([item.path[0].name])
                continue
            }
            if !version.isV4, try selectsExpanded(item, of: type, expands: &expands) { continue }
            paths += try self.paths(of: item, type)
        }
        return isEverything ? .everything : .paths(paths)
    }

    /// Returns the paths of an item; none for operations, which answers never hold, and for navigation properties.
    private func paths(of item: WrittenSelectItem, _ type: StructuredTypeID)
        throws(ODataURLError) -> [[String]]
    {
        var owner = type
        var path: [String] = []
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
                guard case .structured(let next) = property.type.type else {
                    try expectNothing(after: index, in: item)
                    try refuseOptions(of: item)
                    return [path]
                }
                owner = next
                continue
            }
            if model.navigationProperty(name, of: owner) != nil {
                try expectNoPath(after: index, in: item)
                return []
            }
            if isOperation(name) { return [] }
            guard model.isOpen(owner) else { throw unknownMember(part, owner: owner) }
            return [path + item.path[index...].map(\.name)]
        }
        return try nested(item, owner: owner, path: path)
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

    /// Refuses options of a collection of primitive values, all of which are answered (OData 4.01 Part 1 § 11.2.5.1).
    private func refuseOptions(of item: WrittenSelectItem) throws(ODataURLError) {
        guard let first = item.options?.places.first else { return }
        throw ODataURLError(
            .notSupported,
            at: first.offset,
            "$\(first.option.rawValue) inside $select is not offered"
        )
    }

    func unknownMember(_ part: WrittenPathName, owner: StructuredTypeID) -> ODataURLError {
        let names =
            model.properties(of: owner).map(\.name)
            + model.navigationProperties(of: owner).map(\.name)
        return unknown(part.name, at: part.offset, what: model[owner].name, among: names)
    }

    /// Returns the paths that a `$select` in parentheses adds to a complex property.
    private func nested(_ item: WrittenSelectItem, owner: StructuredTypeID, path: [String])
        throws(ODataURLError) -> [[String]]
    {
        guard let options = item.options else { return path.isEmpty ? [] : [path] }
        if let other = options.places.first(where: { $0.option != .select }) {
            throw ODataURLError(
                .notSupported,
                at: other.offset,
                "$\(other.option.rawValue) inside $select is not offered"
            )
        }
        var none: [BoundExpand] = []
        guard let select = options.select,
            case .paths(let inner) = try selection(select, of: owner, expands: &none)
        else { return [path] }
        return inner.map { path + $0 }
    }

    // MARK: Versions 1 to 3

    /// Takes `Navigation/Property`; false where the item names no expanded property.
    private func selectsExpanded(
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
        let inner = try selection([rest], of: target, expands: &expands[index].options.expand)
        switch (expands[index].options.select, inner) {
        case (.paths(let old), .paths(let new)): expands[index].options.select = .paths(old + new)
        default: expands[index].options.select = inner
        }
        return true
    }
}
