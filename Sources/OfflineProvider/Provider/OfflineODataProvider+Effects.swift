public import OfflineValues
import ODataSQL
import ODataValues
import ODataBinding
import ODataTables
import OfflineStore

/// The call of an operation whose effect on the store is asked for.
public struct OfflineODataCall {
    /// Qualified name of the operation, such as `Shop.Cancel`.
    public let name: String
    /// The entity that it is called on; nil for a call on a collection or on nothing.
    public let entity: EntityValue?
    /// The parameters of an action; those of a function as they stand in its URL.
    public let parameters: [String: ODataValue]
}

/// Changes that show at once what a call will do; they go with it when it is refused or taken back.
public struct OfflineODataEffects {
    private let writing: EffectWriting

    init(_ writing: EffectWriting) {
        self.writing = writing
    }

    /// Returns the entities that a URL addresses, relative to the service root.
    ///
    /// - Throws: ``OfflineODataError``.
    public func entities(_ url: String) throws(OfflineODataError) -> [EntityValue] {
        try Self.mapping {
            try EntityReading(query: writing.query(), schema: writing.schema).entities(url)
        }
    }

    /// Shows an entity with other values; properties that it does not have stay as they are.
    ///
    /// - Throws: ``OfflineODataError`` where the metadata does not allow the values.
    public func update(_ entity: EntityValue) throws(OfflineODataError) {
        try Self.mapping {
            let row = try row(of: entity)
            guard let plan = writing.schema.plans.plan(for: row.source),
                var body = try EntityBodyReader.readStrictly(
                    entity.body(),
                    plan: plan,
                    in: writing.schema
                ),
                let table = writing.schema.layout[row.source]
            else { return }
            let rows = RowEditor(try writing.query().connection, layout: writing.schema.layout)
            let present = try rows.values(of: row.row, in: table) ?? []
            body.values.removeAll { item in
                present.indices.contains(item.slot) && present[item.slot] == item.value
            }
            body.inline = []
            if body.values.isEmpty, body.undeclared.isEmpty, body.bindings.isEmpty { return }
            try writing.update(row, with: body)
        }
    }

    /// Shows that an entity is gone.
    ///
    /// - Throws: ``OfflineODataError``.
    public func delete(_ entity: EntityValue) throws(OfflineODataError) {
        try Self.mapping { try writing.delete(row(of: entity)) }
    }

    private func row(of entity: EntityValue) throws -> RowReference {
        let link = try entity.link(in: writing.schema)
        let request = try BoundRequest(parsing: link, in: writing.schema.model)
        guard case .entities(let path) = request.resource,
            let row = try writing.query().rows(path).first
        else { throw OfflineODataError(.notFound, "there is no such entity in the store: \(link)") }
        return row
    }

    private static func mapping<R>(_ work: () throws -> R) throws(OfflineODataError) -> R {
        do {
            return try work()
        } catch {
            throw OfflineODataError.whole(error)
        }
    }
}

extension OfflineODataProvider {
    /// Says what calls of an action or a function do to the store at once; else the store waits for the next download.
    ///
    /// What the effect changes is pending with the call, is taken back with it, and is sent with nothing.
    ///
    ///     provider.setLocalEffect(of: "Shop.Cancel") { call, store in
    ///         guard var order = call.entity else { return }
    ///         order["Status"] = "Cancelled"
    ///         try store.update(order)
    ///     }
    ///
    /// - Parameters:
    ///   - operation: Qualified name of the operation.
    ///   - effect: Called inside the transaction that queues the call; what it throws refuses the call. Nil for no effect.
    public func setLocalEffect(
        of operation: String,
        _ effect: (@Sendable (OfflineODataCall, OfflineODataEffects) throws -> Void)?
    ) {
        guard let effect else { return store.setLocalEffect(nil, of: operation) }
        store.setLocalEffect(
            { call, writing in
                try effect(
                    try OfflineODataCall(call, writing: writing),
                    OfflineODataEffects(writing)
                )
            },
            of: operation
        )
    }
}

extension OfflineODataCall {
    fileprivate init(_ call: CalledOperation, writing: EffectWriting) throws {
        name = call.name
        entity = try call.entity.map { row in
            try EntityReading(query: writing.query(), schema: writing.schema).entity(row)
        }
        var parameters = Dictionary(
            call.arguments.map { ($0.name, ODataValue.string($0.text)) },
            uniquingKeysWith: { first, _ in first }
        )
        if case .object(let members)? = ODataValue(json: call.body) {
            for member in members { parameters[member.name] = member.value }
        }
        self.parameters = parameters
    }
}
