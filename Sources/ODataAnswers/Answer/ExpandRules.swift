import ODataBinding

/// Refuses to expand where the entities could not be written in the right place.
struct ExpandRules {
    /// Refuses navigation properties of complex values: their entities belong inside of these (OData JSON 4.01 § 8.3).
    ///
    /// - Throws: `ServiceError` with 501.
    func check(_ path: EntityPath, options: BoundOptions) throws {
        if case .property = path.target, !options.expand.isEmpty {
            throw ServiceError(501, "$expand of complex values is not offered")
        }
        try check(options)
    }

    private func check(_ options: BoundOptions) throws {
        for expand in options.expand {
            if let name = expand.prefix.first(where: { !$0.contains(".") }) {
                throw ServiceError(501, "$expand into the complex property \(name) is not offered")
            }
            try check(expand.options)
        }
    }
}
