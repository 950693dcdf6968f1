import OfflineValues
import ODataModel
import ODataHTTP

/// Entities in an answer of the service that is not kept.
enum ServiceAnswer {
    /// Reads the entities of a JSON answer of version 4: one, or a collection.
    ///
    /// - Throws: ``OfflineODataError`` where the answer is none of these.
    static func entities(_ response: HTTPResponse, in model: EdmModel) throws -> [EntityValue] {
        guard model.version.isV4 else {
            throw OfflineODataError(
                .notSupported,
                "answers of versions 1 to 3 can only be read from the store: let this one be stored"
            )
        }
        if response.status == 204 { return [] }
        guard case .object(let members)? = ODataValue(json: response.body) else {
            throw OfflineODataError(.server, "the service's answer is no JSON object")
        }
        let set =
            members.first { $0.name == "@odata.context" || $0.name == "@context" }
            .flatMap { $0.value.stringValue.map(entitySet) } ?? ""
        guard case .collection(let items)? = members.first(where: { $0.name == "value" })?.value
        else {
            let own = members.filter { !["@odata.context", "@context"].contains($0.name) }
            return [EntityValue(entitySet: set, members: own)]
        }
        return items.compactMap {
            guard case .object(let members) = $0 else { return nil }
            return EntityValue(entitySet: set, members: members)
        }
    }

    /// The set that a context URL names: `$metadata#Orders(Title)/$entity`.
    private static func entitySet(_ context: String) -> String {
        guard let start = context.lastIndex(of: "#") else { return "" }
        return String(context[context.index(after: start)...].prefix { $0 != "(" && $0 != "/" })
    }
}
