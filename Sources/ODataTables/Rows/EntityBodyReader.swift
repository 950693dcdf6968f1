package import ODataProtocol

/// Reads one entity from the JSON text of a request or an answer.
package enum EntityBodyReader {
    /// Returns the entity; nil where the payload has none.
    ///
    /// - Throws: `PayloadError` where the text is no payload, or a value is of the wrong type.
    package static func read(
        _ json: [UInt8],
        _ plan: EntityPlan,
        _ schema: TableSchema
    ) throws -> EntityBody? {
        var collector = EntityBodyCollector()
        var reader = PayloadReader(model: schema.model, plan: plan, plans: schema.plans)
        _ = try reader.read(json.span, into: &collector)
        return collector.entities.first
    }
}
