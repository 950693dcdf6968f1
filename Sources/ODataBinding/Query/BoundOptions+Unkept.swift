package import ODataModel

extension BoundOptions {
    /// The first expand of a navigation property of a complex value, such as `Home/Country`, at any depth; nil where there is none.
    ///
    /// Its entities belong inside of that value (OData JSON 4.01 § 8.3).
    package func complexExpand(in model: EdmModel) -> String? {
        for expand in expand {
            let isComplex = expand.prefix.contains { !$0.utf8.contains(UInt8(ascii: ".")) }
            guard !isComplex else {
                return (expand.prefix + [model[expand.navigation].name]).joined(separator: "/")
            }
            if let deeper = expand.options.complexExpand(in: model) { return deeper }
        }
        return nil
    }

    /// The first collection of values with nested options in `$select`, at any depth; nil where there is none.
    package var firstItems: String? {
        if let items = items.first { return items.path.joined(separator: "/") }
        return expand.lazy.compactMap(\.options.firstItems).first
    }
}
