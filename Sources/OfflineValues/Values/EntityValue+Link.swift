import ODataSQL
import ODataPayload
import ODataValues
import ODataAnswers
import ODataModel
package import ODataTables
import ODataURL

extension EntityValue {
    /// The entity's URL as far as it is known without the metadata: its read link, or the set that it belongs to.
    package var address: String { readLink ?? entitySet }

    /// The link by which the store finds the entity: its read link, or its set and key.
    package func link(in schema: TableSchema) throws -> String {
        if let link = readLink { return link }
        return try canonicalLink(in: schema)
    }

    /// The link by the set and the key among the members.
    func canonicalLink(in schema: TableSchema) throws -> String {
        guard let source = schema.model.navigationSource(named: entitySet),
            let plan = schema.plans.plan(for: source), let table = schema.layout[source],
            let body = try EntityBodyReader.read(
                withDays(of: plan.type, in: schema.model).body(),
                plan: plan,
                in: schema
            )
        else { throw OfflineODataError(.notFound, "there is no entity set \(entitySet)") }
        let key = table.keyColumns.map { body.value(of: $0) ?? .null }
        guard let url = EntityURL(model: schema.model, version: .v4).canonical(source, key: key)
        else {
            throw OfflineODataError(
                .invalidInput,
                "the entity has neither a read link nor its whole key"
            )
        }
        return url
    }
}
