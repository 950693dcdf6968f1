import ODataBinding
import StoreRecords
import ODataSQL
import OfflineValues
import ODataAnswers
import ODataHTTP
import ODataModel
import ODataPayload
import ODataTables

/// Changes that are sent past the store: they obey the metadata as those that it takes do.
extension ReadRouter {
    /// Checks the body of a creation or an update of an entity; other requests are passed over.
    ///
    /// - Throws: ``OfflineODataError`` that names the property.
    func check(_ request: HTTPRequest) async throws {
        guard ["POST", "PATCH", "PUT", "MERGE"].contains(request.method), !request.body.isEmpty
        else { return }
        try await look { try Self.check(request, in: $1) }
    }

    private static func check(_ request: HTTPRequest, in schema: TableSchema) throws {
        guard let path = EntityPath(ofService: request.url, in: schema.model),
            case .entities = path.target,
            let source = path.finalSource, let table = schema.layout[source],
            let plan = schema.plans.plan(for: source, type: path.entityType(in: schema.model))
        else { return }
        do {
            guard let body = try EntityBodyReader.readStrictly(request.body, plan: plan, in: schema)
            else {
                throw OfflineODataError(.invalidInput, "the entity has no properties")
            }
            let isComplete = request.method == "POST" && schema.model.version.isV4
            try EntityRules(layout: schema.layout, tolerance: .absentKeys)
                .check(body, in: table, isComplete: isComplete)
        } catch let error as PayloadError {
            throw OfflineODataError.ofValues(error)
        }
    }
}
