import ODataModel

/// Gives a value that was read by a type of the application's, and changed, what the type does not know of it.
///
/// That is the type of a complex value, members that only a derived type declares, dynamic ones, and digits beyond those of a Swift
/// type. Without it a change of one item of a collection would take all that from the others.
struct ValueRestoration {
    let model: EdmModel

    /// A member as it was given, as it was before by the same type, and as the entity has it.
    struct Versions {
        var given: ODataValue
        var before: ODataValue?
        var held: ODataValue?
    }

    /// Returns the value with what the entity has besides.
    ///
    /// - Parameters:
    ///   - path: Names from the entity down, for messages.
    ///   - owner: The type that has the last member of the path.
    /// - Throws: ``OfflineODataError`` where it cannot be told which items of a collection are which.
    func restored(_ versions: Versions, at path: [String], of owner: StructuredTypeID?) throws
        -> ODataValue
    {
        guard let before = versions.before, let held = versions.held else { return versions.given }
        if versions.given == before { return held }
        let name = path.last ?? ""
        let kind = Kind(
            type: owner.flatMap { model.structuredType(of: name, in: $0) },
            key: owner.flatMap { model.navigationProperty(name, of: $0) }.flatMap {
                model[$0].target.map { model.key(of: $0).map(\.path) }
            }
        )
        switch (versions.given, before, held) {
        case (.object, .object, .object): return try object(versions, at: path, kind)
        case (.collection(let given), .collection(let before), .collection(let held))
        where before.count == held.count:
            return .collection(try items(given, before, held, at: path, kind))
        default: return versions.given
        }
    }

    /// What objects are: of a type, and with a key where they are entities.
    private struct Kind {
        var type: StructuredTypeID?
        var key: [String]?

        /// Whether two objects are the same entity; values have no identity.
        func areSame(_ one: ODataValue, _ other: ODataValue) -> Bool {
            key.map { $0.allSatisfy { one[$0] == other[$0] } } ?? true
        }
    }

    private func object(_ versions: Versions, at path: [String], _ kind: Kind) throws -> ODataValue
    {
        guard case .object(let given) = versions.given, let before = versions.before,
            case .object(let held)? = versions.held, kind.areSame(versions.given, before)
        else { return versions.given }
        let restored = try given.map { member in
            let inner = Versions(
                given: member.value,
                before: before[member.name],
                held: versions.held?[member.name]
            )
            return (
                name: member.name,
                value: try self.restored(inner, at: path + [member.name], of: kind.type)
            )
        }
        let rest = held.filter { member in
            versions.given[member.name] == nil && before[member.name] == nil
                && (!member.name.hasPrefix("@") || member.name == "@odata.type")
        }
        return .object(
            rest.filter { $0.name.hasPrefix("@") } + restored
                + rest.filter { !$0.name.hasPrefix("@") }
        )
    }

    // MARK: Items

    private func items(
        _ given: [ODataValue],
        _ before: [ODataValue],
        _ held: [ODataValue],
        at path: [String],
        _ kind: Kind
    ) throws -> [ODataValue] {
        var pairs = Self.unchanged(given, before)
        var free = Set(before.indices).subtracting(pairs.compactMap(\.self)).sorted()
        let left = given.indices.filter { pairs[$0] == nil }
        if kind.key != nil {
            for place in left {
                guard let found = free.first(where: { kind.areSame(before[$0], given[place]) })
                else { continue }
                pairs[place] = found
                free.removeAll { $0 == found }
            }
            guard free.isEmpty else {
                throw OfflineODataError(
                    .invalidInput,
                    "\(path.joined(separator: "/")): an update takes no entity out of a collection; end its relation by deleteLink, or delete it"
                )
            }
        } else if left.count == free.count {
            for (place, former) in zip(left, free) { pairs[place] = former }
        } else if !left.isEmpty, free.contains(where: { Self.hasMore(held[$0], than: before[$0]) })
        {
            throw OfflineODataError(
                .invalidInput,
                "\(path.joined(separator: "/")): items were changed while others came or went, and they have members that the type of the value does not know; update the entity after each of both"
            )
        }
        return try given.indices.map { place in
            guard let former = pairs[place] else { return given[place] }
            if given[place] == before[former] { return held[former] }
            let versions = Versions(
                given: given[place],
                before: before[former],
                held: held[former]
            )
            return try object(versions, at: path, kind)
        }
    }

    /// For each item that was given the one that it was before; nil where none is like it.
    private static func unchanged(_ given: [ODataValue], _ before: [ODataValue]) -> [Int?] {
        var places: [Int?] = given.indices.map { place in
            before.indices.contains(place) && given[place] == before[place] ? place : nil
        }
        let taken = Set(places.compactMap(\.self))
        var others: [ODataValue: [Int]] = [:]
        for place in before.indices.reversed() where !taken.contains(place) {
            others[before[place], default: []].append(place)
        }
        for place in given.indices where places[place] == nil {
            places[place] = others[given[place]]?.popLast()
        }
        return places
    }

    private static func hasMore(_ held: ODataValue, than before: ODataValue) -> Bool {
        guard case .object(let members) = held else { return false }
        return members.contains { member in
            !member.value.isNull && before[member.name] == nil
                && (!member.name.hasPrefix("@") || member.name == "@odata.type")
        }
    }
}
