import ODataURL
import ODataModel

extension Binder {
    /// Binds an item of `$expand` (OData 4.01 Part 2 § 5.1.3) and adds it to those of its level.
    mutating func expand(
        _ item: WrittenExpandItem,
        of type: StructuredTypeID,
        from source: NavigationSource?,
        into expands: inout [BoundExpand]
    ) throws(ODataURLError) {
        if item.path.count == 1, item.path[0].name == "*" {
            return try expandAll(item, of: type, from: source, into: &expands)
        }
        var owner = type
        var prefix: [String] = []
        for (index, part) in item.path.enumerated() {
            let name = part.name
            if let navigation = model.navigationProperty(name, of: owner) {
                let rest = Array(item.path[(index + 1)...])
                return try expand(
                    navigation,
                    prefix: prefix,
                    rest: rest,
                    item: item,
                    from: source,
                    into: &expands
                )
            }
            owner = try enter(part, owner: owner, prefix: &prefix)
        }
        let last = item.path[item.path.count - 1]
        throw ODataURLError(
            .meaning,
            at: last.offset,
            "\(last.name) is no navigation property",
            found: last.name,
            expected: model.navigationProperties(of: owner).map(\.name)
        )
    }

    /// Takes a complex property or a cast before the navigation property.
    private func enter(
        _ part: WrittenPathName,
        owner: StructuredTypeID,
        prefix: inout [String]
    ) throws(ODataURLError) -> StructuredTypeID {
        let name = model.castName(part.name, of: owner)
        if name.utf8.contains(Byte.dot), name.utf8.first != Byte.at {
            let derived = try cast(name, from: owner, at: part.offset)
            prefix.append(model[derived].name)
            return derived
        }
        if part.name == "$value" || part.name.utf8.first == Byte.at {
            throw ODataURLError(.notSupported, at: part.offset, "\(part.name) cannot be expanded")
        }
        guard let property = model.property(part.name, of: owner) else {
            throw unknownMember(part, owner: owner)
        }
        if property.type.type == .primitive(.stream) {
            throw ODataURLError(
                .notSupported,
                at: part.offset,
                "the stream \(part.name) cannot be expanded: read it by its own URL",
                found: part.name
            )
        }
        guard case .structured(let next) = property.type.type else {
            throw ODataURLError(
                .meaning,
                at: part.offset,
                "\(part.name) is no navigation property",
                found: part.name,
                expected: model.navigationProperties(of: owner).map(\.name)
            )
        }
        prefix.append(part.name)
        return next
    }

    private mutating func expand(
        _ navigation: NavigationPropertyID,
        prefix: [String],
        rest: [WrittenPathName],
        item: WrittenExpandItem,
        from source: NavigationSource?,
        into expands: inout [BoundExpand]
    ) throws(ODataURLError) {
        let property = model[navigation]
        let target = source.flatMap { model.target(of: navigation, from: $0) }
        var bound = BoundExpand(navigation: navigation, target: target)
        bound.prefix = prefix
        guard var type = property.target else {
            throw ODataURLError(
                .unknownName,
                at: item.path[0].offset,
                "the type that \(property.name) leads to is not in the model"
            )
        }
        var rest = rest[...]
        let name = rest.first.map { model.castName($0.name, of: type) }
        if let part = rest.first, let name, name.utf8.contains(Byte.dot) {
            type = try cast(name, from: type, at: part.offset)
            bound.cast = type
            rest = rest.dropFirst()
        }
        bound.shape = shape(item.suffix)
        let index = place(of: bound, in: &expands)
        if let next = rest.first {
            guard !version.isV4 else {
                throw ODataURLError(
                    .syntax,
                    at: next.offset,
                    "deeper expands stand in parentheses",
                    found: next.name,
                    expected: ["\(property.name)($expand=\(next.name))"]
                )
            }
            let deeper = WrittenExpandItem(path: Array(rest), suffix: .none)
            return try expand(deeper, of: type, from: target, into: &expands[index].options.expand)
        }
        guard let options = item.options else { return }
        let subject = OptionSubject(
            item: .entity(type, target),
            isCollection: property.isCollection
        )
        expandDepth += 1
        defer { expandDepth -= 1 }
        expands[index].options = try self.options(options, on: subject, isOutermost: false)
    }

    private func shape(_ suffix: WrittenExpandItem.Suffix) -> BoundExpand.Shape {
        switch suffix {
        case .none: .entities
        case .reference: .references
        case .count: .count
        }
    }

    /// Returns the index of an expand of the same property, so that paths of versions 1 to 3 merge; adds it where there is none.
    private func place(of bound: BoundExpand, in expands: inout [BoundExpand]) -> Int {
        let same = expands.firstIndex {
            $0.navigation == bound.navigation && $0.cast == bound.cast && $0.prefix == bound.prefix
        }
        if let same { return same }
        expands.append(bound)
        return expands.count - 1
    }

    private mutating func expandAll(
        _ item: WrittenExpandItem,
        of type: StructuredTypeID,
        from source: NavigationSource?,
        into expands: inout [BoundExpand]
    ) throws(ODataURLError) {
        for part in model.lineage(of: type) {
            for index in model[part].navigationProperties.indices {
                let id = NavigationPropertyID(type: part, index: index)
                guard model[id].target != nil else { continue }
                var one = item
                one.path = [WrittenPathName(name: model[id].name, offset: item.path[0].offset)]
                try expand(id, prefix: [], rest: [], item: one, from: source, into: &expands)
            }
        }
    }
}
