import ODataBinding
import ODataModel

/// Refuses to expand where the entities could not be written in the right place.
struct ExpandRules {
    let model: EdmModel

    /// Refuses navigation properties of complex values: their entities belong inside of these (OData JSON 4.01 § 8.3).
    ///
    /// - Throws: `ServiceError` with 501.
    func check(_ path: EntityPath, options: BoundOptions) throws {
        if case .property = path.target, !options.expand.isEmpty {
            throw ServiceError(501, "$expand of complex values is not offered")
        }
        if let expand = options.complexExpand(in: model) {
            let name = expand.split(separator: "/").first { !$0.contains(".") } ?? ""
            throw ServiceError(501, "$expand into the complex property \(name) is not offered")
        }
    }
}
