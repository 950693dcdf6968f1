import ODataBinding
import ODataModel
import ODataTables

/// Refuses requests for what clients cannot read, and those that would show it by what they choose (`Core.Permissions`).
struct UnreadableProperties {
    let model: EdmModel

    /// - Throws: `ServiceError` with 404 for such a property itself (OData 4.01 Part 1 § 11.2.4), with 400 for options that use it.
    func check(_ path: EntityPath, options: BoundOptions) throws {
        let type = path.entityType(in: model)
        switch path.target {
        case .property(let names, _), .propertyCount(let names):
            if let name = firstUnreadable(of: names, type) { throw refusal(404, name) }
        default:
            let expressions =
                [options.filter].compactMap { $0 } + options.orderBy.map(\.expression)
                + options.compute.map(\.expression)
            for used in expressions.flatMap(\.ownProperties) {
                let names = used.split(separator: "/").map(String.init)
                if let name = firstUnreadable(of: names, type) { throw refusal(400, name) }
            }
        }
    }

    /// The first property on the way that cannot be read.
    private func firstUnreadable(of names: [String], _ type: StructuredTypeID?) -> String? {
        names.indices.lazy.map { Array(names.prefix($0 + 1)) }
            .first { model.property($0, of: type)?.isUnreadable == true }?
            .joined(separator: "/")
    }

    private func refusal(_ status: Int, _ name: String) -> ServiceError {
        ServiceError(
            status,
            "\(name) cannot be read: the metadata says so (Core.Permissions)"
        )
    }
}
