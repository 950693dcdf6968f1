import ODataBinding

/// An aggregate over a path with navigation properties, cut behind the last of them.
struct ReachedAggregate {
    /// The ways to the entities: from the row, and on from the members of the collection that the first one ends with.
    let ways: [BoundPath]
    /// What of these entities is aggregated, as if they were the rows.
    let rest: BoundAggregate

    /// Cuts an aggregate; nil where no navigation property is on its path, and where entities reached twice change nothing.
    init?(_ item: BoundAggregate) {
        switch item.method {
        case .sum, .average, .count: break
        case .min, .max, .countDistinct: return nil
        }
        var rest = item
        guard let collection = item.collection else {
            guard case .path(let path)? = item.expression, let (way, end) = path.cut else {
                return nil
            }
            rest.expression = item.method == .count ? nil : .path(end)
            (ways, self.rest) = ([way], rest)
            return
        }
        guard collection.navigation != nil else {
            guard let (way, end) = collection.cut else { return nil }
            rest.collection = end
            (ways, self.rest) = ([way], rest)
            return
        }
        guard collection.navigationTarget != nil else { return nil }
        rest.collection = nil
        guard case .path(var path)? = item.expression else {
            (ways, self.rest) = ([collection], rest)
            return
        }
        guard let (way, end) = path.cut else {
            path.variable = .it
            rest.expression = .path(path)
            (ways, self.rest) = ([collection], rest)
            return
        }
        rest.expression = .path(end)
        (ways, self.rest) = ([collection, way], rest)
    }
}

extension BoundPath {
    /// The way up to the last single-valued navigation property with the casts behind it, and the rest as a path from there.
    fileprivate var cut: (way: BoundPath, rest: BoundPath)? {
        let isNavigation = { (step: EntityPath.Step) in
            if case .navigation = step { true } else { false }
        }
        guard !isComputed, var end = steps.lastIndex(where: isNavigation) else { return nil }
        while end + 1 < steps.count, case .cast = steps[end + 1] { end += 1 }
        let way = BoundPath(variable: variable, steps: Array(steps[...end]))
        var rest = self
        rest.variable = .it
        rest.steps = Array(steps[(end + 1)...])
        rest.names = []
        return (way, rest)
    }
}
