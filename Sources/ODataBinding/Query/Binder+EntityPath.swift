import ODataURL
package import ODataModel

extension Binder {
    /// Binds the path from a set or singleton, whose segment is the next one.
    mutating func entities(from source: NavigationSource, _ walk: inout ResourceWalk)
        throws(ODataURLError) -> BoundResource
    {
        var path = EntityPath(source: source)
        guard let first = walk.next else { return .entities(path) }
        try keys(of: first, &path)
        walk.index += 1
        while let segment = walk.next {
            if let operation = try boundOperation(segment, at: path, walk: walk) {
                return operation
            }
            guard try step(segment, path: &path, walk: &walk) else { break }
        }
        return .entities(path)
    }

    /// Takes one segment; false where the path has come to its end.
    private mutating func step(
        _ segment: WrittenSegment,
        path: inout EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        guard let type = path.entityType(in: model) else {
            throw ODataURLError(.unknownName, at: segment.offset, "the type of the path is unknown")
        }
        let isSingle = path.isSingle(in: model)
        guard let written = segment.name else {
            return try keySegment(segment, path: &path, walk: &walk)
        }
        let name = model.castName(written, of: type)
        if name.utf8.first == Byte.dollar {
            return try dollar(segment, named: name, path: &path, walk: &walk)
        }
        if !isSingle, name.utf8.contains(Byte.dot) {
            return try castOrKey(segment, named: name, of: type, path: &path, walk: &walk)
        }
        if !isSingle { return try keySegment(segment, path: &path, walk: &walk) }
        if name.utf8.contains(Byte.dot) {
            path.steps.append(.cast(try cast(name, from: type, at: segment.offset)))
            walk.index += 1
            return true
        }
        if let navigation = model.navigationProperty(name, of: type) {
            let target = model.target(of: navigation, from: path.finalSource ?? path.source)
            path.steps.append(.navigation(navigation, to: target))
            try keys(of: segment, &path)
            walk.index += 1
            return true
        }
        return try property(type, path: &path, walk: &walk)
    }

    // MARK: Casts

    private mutating func castOrKey(
        _ segment: WrittenSegment,
        named name: String,
        of type: StructuredTypeID,
        path: inout EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        guard model.structuredType(named: name) != nil || !segment.groups.isEmpty else {
            return try keySegment(segment, path: &path, walk: &walk)
        }
        path.steps.append(.cast(try cast(name, from: type, at: segment.offset)))
        try keys(of: segment, &path)
        walk.index += 1
        return true
    }

    /// Returns the type of a cast segment; it must be the type itself or one derived from it.
    func cast(_ name: String, from type: StructuredTypeID, at offset: Int) throws(ODataURLError)
        -> StructuredTypeID
    {
        guard let derived = model.structuredType(named: name) else {
            let names = model.hierarchy(below: type).map { model[$0].name }
            throw unknown(name, at: offset, what: "the model", among: names)
        }
        guard model.type(derived, isOrExtends: type) || model.type(type, isOrExtends: derived)
        else {
            throw ODataURLError(
                .type,
                at: offset,
                "\(model[derived].name) does not extend \(model[type].name)",
                found: name
            )
        }
        return derived
    }

    // MARK: Dollar segments

    private mutating func dollar(
        _ segment: WrittenSegment,
        named name: String,
        path: inout EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        let isSingle = path.isSingle(in: model)
        switch name {
        case "$count" where !isSingle:
            path.target = .count
            return try end(walk)
        case "$ref" where version.isV4:
            path.target = .references
            return try end(walk)
        case "$links" where !version.isV4 && isSingle:
            return try links(segment, path: &path, walk: &walk)
        case "$value" where isSingle:
            path.target = .mediaStream
            return try end(walk)
        case "$filter" where !isSingle: return try filterSegment(segment, at: path, walk: &walk)
        case "$query": return try end(walk)
        case "$each":
            throw ODataURLError(.notSupported, at: segment.offset, "$each is not offered")
        default:
            throw ODataURLError(
                .meaning,
                at: segment.offset,
                "\(name) cannot stand here",
                found: segment.text,
                expected: isSingle
                    ? ["a property", "$ref", "$value"] : ["a key", "$count", "$ref", "$filter(…)"]
            )
        }
    }

    /// Checks that the next segment is the last one.
    private func end(_ walk: ResourceWalk) throws(ODataURLError) -> Bool {
        if let extra = walk.after(0), extra.name != "$query" || walk.after(1) != nil {
            throw ODataURLError(.meaning, at: extra.offset, "nothing can follow", found: extra.text)
        }
        return false
    }

    /// Takes `$links/Property` (OData 2.0 URI Conventions § 2.9); a key may follow in the parentheses.
    private mutating func links(
        _ segment: WrittenSegment,
        path: inout EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        guard let next = walk.after(0), let name = next.name,
            let type = path.entityType(in: model)
        else {
            throw ODataURLError(.syntax, at: segment.offset, "$links names no property")
        }
        guard let navigation = model.navigationProperty(name, of: type) else {
            let names = model.navigationProperties(of: type).map(\.name)
            throw unknown(name, at: next.offset, what: model[type].name, among: names)
        }
        let target = model.target(of: navigation, from: path.finalSource ?? path.source)
        path.steps.append(.navigation(navigation, to: target))
        try keys(of: next, &path)
        path.target = .references
        walk.index += 1
        if walk.after(0)?.name == "$count" {
            path.target = .count
            walk.index += 1
        }
        return try end(walk)
    }

    private mutating func filterSegment(
        _ segment: WrittenSegment,
        at path: EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        guard let type = path.entityType(in: model), let group = segment.groups.first,
            let condition = group.first?.value, group.count == 1
        else {
            throw ODataURLError(.syntax, at: segment.offset, "$filter needs one condition")
        }
        let next = walk.after(0).flatMap {
            ["$count", "$ref", "$filter", "$query"].contains($0.name) ? nil : $0
        }
        // A key stands behind the condition, in parentheses of its own.
        if let further = segment.groups.count > 1 ? segment : next {
            throw ODataURLError(
                .notSupported,
                at: further.offset,
                "a filtered path cannot be followed further",
                found: further.text
            )
        }
        let scope = BindingScope(.entity(type, path.finalSource))
        let bound = try self.condition(condition, in: scope)
        walk.filter = walk.filter.map { .and([$0, bound]) } ?? bound
        walk.index += 1
        return true
    }

    // MARK: Operations

    private func boundOperation(
        _ segment: WrittenSegment,
        at path: EntityPath,
        walk: ResourceWalk
    ) throws(ODataURLError) -> BoundResource? {
        let written = segment.groups.first ?? []
        let parameters = written.compactMap(\.name)
        let operation = operationNames(segment, at: path).lazy
            .compactMap { overload(of: $0, boundTo: path, parameters) }.first
        guard let operation else { return nil }
        if let extra = walk.after(0) {
            throw ODataURLError(
                .notSupported,
                at: extra.offset,
                "results of operations cannot be followed further",
                found: extra.text
            )
        }
        return .operation(
            BoundOperation(
                binding: path,
                operation: operation,
                name: model.operations[operation].name,
                arguments: arguments(written, ofOperation: operation)
            )
        )
    }

    /// The qualified names of the operations that a segment may call: its own, or that of a default namespace with it, which a property
    /// of the same name hides.
    private func operationNames(_ segment: WrittenSegment, at path: EntityPath) -> [String] {
        guard let name = segment.name, name.utf8.first != Byte.dollar else { return [] }
        guard !name.utf8.contains(Byte.dot) else {
            return model.structuredType(named: name) == nil ? [name] : []
        }
        let isHidden = path.isSingle(in: model) && hasMember(name, at: path)
        return isHidden ? [] : model.defaultNamespaces.map { $0 + "." + name }
    }

    private func hasMember(_ name: String, at path: EntityPath) -> Bool {
        guard let type = path.entityType(in: model) else { return false }
        return model.property(name, of: type) != nil
            || model.navigationProperty(name, of: type) != nil
    }

    // MARK: Properties

    /// Takes the segments of a property path and what may follow it.
    private mutating func property(
        _ type: StructuredTypeID,
        path: inout EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        var names: [String] = []
        var owner = type
        while let segment = walk.next, let written = segment.name {
            let name = names.isEmpty ? written : model.castName(written, of: owner)
            if name == "$value" || name == "$count" || name == "$query" { break }
            if name.utf8.contains(Byte.dot), !names.isEmpty {
                owner = try cast(name, from: owner, at: segment.offset)
                names.append(model[owner].name)
                walk.propertyType?.type = .structured(owner)
                walk.index += 1
                continue
            }
            if !names.isEmpty, let navigation = model.navigationProperty(name, of: owner) {
                path.steps += names.map { .complex($0) }
                let target = model.target(of: navigation, from: path.finalSource ?? path.source)
                path.steps.append(.navigation(navigation, to: target))
                try keys(of: segment, &path)
                walk.propertyType = nil
                walk.index += 1
                return true
            }
            names.append(name)
            walk.propertyType = try propertyType(name, of: owner, segment: segment)
            walk.index += 1
            guard let reference = walk.propertyType else {
                takeDynamic(&names, walk: &walk)
                break
            }
            guard case .structured(let next) = reference.type else { break }
            guard !reference.isCollection else {
                try castItems(of: next, names: &names, walk: &walk)
                break
            }
            owner = next
        }
        path.target = .property(names, isRaw: false)
        return try afterProperty(names, path: &path, walk: &walk)
    }

    /// Takes the names below a dynamic property, of which nothing is known before its value is looked at.
    private func takeDynamic(_ names: inout [String], walk: inout ResourceWalk) {
        while let segment = walk.next, let name = segment.name, segment.groups.isEmpty,
            name.utf8.first != Byte.dollar, !name.utf8.contains(Byte.dot)
        {
            names.append(name)
            walk.index += 1
        }
    }

    /// Takes the type that the items of a collection are cast to: the others are left out (OData 4.01 Part 2 § 4.11).
    private func castItems(
        of type: StructuredTypeID,
        names: inout [String],
        walk: inout ResourceWalk
    ) throws(ODataURLError) {
        guard let segment = walk.next,
            let name = segment.name.map({ model.castName($0, of: type) }),
            name.utf8.contains(Byte.dot)
        else { return }
        let derived = try cast(name, from: type, at: segment.offset)
        names.append(model[derived].name)
        walk.propertyType?.type = .structured(derived)
        // Items of the declared type need not state it.
        if !model.type(type, isOrExtends: derived) {
            walk.filter = .isOf(BoundPath(variable: .it), derived)
        }
        walk.index += 1
    }

    private func propertyType(
        _ name: String,
        of owner: StructuredTypeID,
        segment: WrittenSegment
    ) throws(ODataURLError) -> TypeReference? {
        if let property = model.property(name, of: owner) {
            guard segment.groups.isEmpty else {
                throw ODataURLError(
                    .meaning,
                    at: segment.offset,
                    "\(name) is a property and has no key",
                    found: segment.text
                )
            }
            return property.type
        }
        guard !model.isOpen(owner) else { return nil }
        let names =
            model.properties(of: owner).map(\.name)
            + model.navigationProperties(of: owner).map(\.name)
        var error = unknown(name, at: segment.offset, what: model[owner].name, among: names)
        if let operation = model.qualifiedOperation(name) { error.suggestion = operation }
        throw error
    }

    private func afterProperty(
        _ names: [String],
        path: inout EntityPath,
        walk: inout ResourceWalk
    ) throws(ODataURLError) -> Bool {
        guard let segment = walk.next else { return false }
        let isCollection = walk.propertyType?.isCollection ?? false
        switch segment.name {
        case "$value" where !isCollection:
            path.target = .property(names, isRaw: true)
            return try end(walk)
        case "$count" where isCollection || walk.propertyType == nil:
            path.target = .propertyCount(names)
            return try end(walk)
        case "$query": return try end(walk)
        default:
            throw ODataURLError(
                isCollection && isPartOfCollection(segment) ? .notSupported : .meaning,
                at: segment.offset,
                "nothing of this kind can follow a property",
                found: segment.text,
                expected: isCollection ? ["$count"] : ["$value"]
            )
        }
    }
}

extension Binder {
    /// Whether a segment behind a collection of values chooses some of them: `$filter(…)`, an ordinal, a type
    /// (OData 4.01 Part 2 §§ 4.10 to 4.12).
    private func isPartOfCollection(_ segment: WrittenSegment) -> Bool {
        guard version.isV4 else { return false }
        return segment.name == "$filter" || Int(segment.text) != nil
            || segment.name?.utf8.contains(Byte.dot) == true
    }
}

extension EdmModel {
    /// Returns whether instances of a type may have undeclared properties.
    package func isOpen(_ id: StructuredTypeID) -> Bool {
        lineage(of: id).contains { self[$0].isOpen }
    }
}
