extension ModelComparison {
    /// Returns the comparison with changes marked as agreed: they no longer make the verdict incompatible.
    ///
    /// A path allows the changes of that element and of what it declares: `NS.Type` also `NS.Type/Property`.
    public func allowing(_ paths: [String]) -> ModelComparison {
        ModelComparison(
            changes: changes.map { change in
                var change = change
                change.isAllowed = !change.isCompatible && paths.contains { change.isAt($0) }
                return change
            }
        )
    }

    /// The paths among some that no incompatible change is at: what they allow does not happen.
    public func unused(among paths: [String]) -> [String] {
        paths.filter { path in !changes.contains { !$0.isCompatible && $0.isAt(path) } }
    }
}

extension ModelChange {
    fileprivate func isAt(_ place: String) -> Bool {
        path == place || path.hasPrefix(place + "/")
    }
}
