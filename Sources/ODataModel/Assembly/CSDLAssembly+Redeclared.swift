extension CSDLAssembly {
    /// Leaves out members of types that have them of their base types (OData CSDL XML 4.01 §§ 7.1, 8.1).
    ///
    /// It comes last: places of members change.
    mutating func leaveOutRedeclared() {
        var derived: [Int: [Int]] = [:]
        for index in model.structuredTypes.indices {
            guard let base = base(of: index) else { continue }
            derived[base, default: []].append(index)
        }
        var owners = SymbolMap()
        for root in derived.keys.sorted() where base(of: root) == nil {
            leaveOutRedeclared(in: root, derived, &owners)
        }
    }

    /// - Parameter owners: The types on the way from the root, by the numbers of the names that they declare.
    private mutating func leaveOutRedeclared(
        in type: Int,
        _ derived: [Int: [Int]],
        _ owners: inout SymbolMap
    ) {
        let own = members[typeNotes[type].members]
        for member in own.reversed() {
            guard owners[Int(member.symbol)] >= 0 else {
                owners[Int(member.symbol)] = type
                continue
            }
            report(
                type,
                member: symbols[Int(member.symbol)],
                message: "The base type has this property; the declaration is left out."
            )
            if member.place >= 0 {
                model.structuredTypes[type].ownProperties.remove(at: Int(member.place))
            } else {
                model.structuredTypes[type].ownNavigations.remove(at: Int(~member.place))
            }
        }
        for next in derived[type] ?? [] { leaveOutRedeclared(in: next, derived, &owners) }
        for member in own where owners[Int(member.symbol)] == type {
            owners[Int(member.symbol)] = -1
        }
    }
}
