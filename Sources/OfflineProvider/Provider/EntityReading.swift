package import OfflineValues
import ODataBinding
import StoreRecords
import ODataSQL
import ODataModel
import ODataURL
import ODataAnswers
package import ODataTables

/// Reads entities as values.
package struct EntityReading {
    package let query: TableQuery
    package let schema: TableSchema
    var limits = URLLimits()

    package func entities(_ url: String) throws -> [EntityValue] {
        let known = try known(url)
        return try entities(known.bound, knowing: known)
    }

    func entities(_ request: BoundRequest) throws -> [EntityValue] {
        try entities(request, knowing: nil)
    }

    /// The request of a URL, which a reader may have met before.
    private func known(_ url: String) throws -> KnownRequest {
        guard let plans = query.plans else {
            return KnownRequest(
                try BoundRequest(ofApplication: url, in: schema.model, limits: limits)
            )
        }
        do {
            return try plans.request(url, limits: limits)
        } catch {
            let version = schema.model.version
            guard !version.isV4,
                let request = try? plans.request(url, version: version, limits: limits)
            else { throw error }
            return request
        }
    }

    private func entities(_ request: BoundRequest, knowing known: KnownRequest?) throws
        -> [EntityValue]
    {
        guard case .entities(let path) = request.resource, case .entities = path.target else {
            throw OfflineODataError(
                .invalidInput,
                "the URL addresses no entities; use `respond` for it"
            )
        }
        let set = path.finalSource.map { schema.model.name(of: $0) } ?? ""
        if let batch = try query.batch(path, options: request.options, known: known) {
            return (0..<batch.count).map { EntityValue(entitySet: set, batch, row: $0) }
        }
        let answer = try query.entities(
            path,
            options: request.options,
            format: AnswerFormat(),
            known: known
        )
        guard let value = ODataValue(json: Array("[".utf8) + answer.entities + Array("]".utf8)),
            let items = value.items
        else { throw OfflineODataError(.internal, "the answer cannot be read back") }
        let rows = answer.rows.count == items.count ? answer.rows : []
        return items.enumerated().compactMap { place, item in
            guard case .object(let members) = item else { return nil }
            // Rows that were grouped are no entities and have no number.
            let row = place < rows.count && rows[place] > 0 ? rows[place] : nil
            return EntityValue(entitySet: set, members: members, row: row, schema: schema)
        }
    }

    /// The properties and states that a query answers, as bytes that differ where they differ: nothing of ETags.
    func print(of request: BoundRequest) throws -> [UInt8] {
        guard case .entities(let path) = request.resource else { return [] }
        var format = AnswerFormat()
        format.metadata = .none
        format.showsStates = true
        return try query.entities(path, options: request.options, format: format).entities
    }

    /// Reads an entity by its row, which costs no URL.
    func entity(_ row: RowReference) throws -> EntityValue {
        guard let json = try schema.singleReads.object(row, query: query),
            case .object(let members)? = ODataValue(json: json)
        else { throw OfflineODataError(.internal, "the entity cannot be read back") }
        var entity = EntityValue(
            entitySet: schema.model.name(of: row.source),
            members: members,
            row: row.row
        )
        guard entity.readLink == nil else { return entity }
        guard
            let link = try EntityLink(RowEditor(query.connection, layout: schema.layout)).link(row)
        else {
            throw OfflineODataError(.internal, "the created entity has no link")
        }
        entity.readLink = link
        return entity
    }

    func entity(_ url: String) throws -> EntityValue {
        guard var entity = try entities(url).first else {
            throw OfflineODataError(.notFound, "there is no such entity in the store: \(url)")
        }
        if entity.readLink == nil { entity.readLink = url }
        return entity
    }
}
