import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import ODataAnswers
import ODataTables

/// Creations of entities that another client created in the meantime with the same key.
///
/// The service would refuse such a creation for ever: keeping the local version turns it into an update of the service's entity.
extension QueueEditor {
    /// - Throws: ``StoreError`` where the change of one entity cannot carry what the creation does.
    func checkInsisting(on creation: QueueEntry, of entity: ChangedEntity) throws {
        let insertions = try journal.effects(of: creation.id).count(where: \.isInsertion)
        guard insertions == 1, creation.stream == nil,
            creation.body != nil
        else {
            throw StoreError(
                .wrongState,
                "request \(creation.id) creates more than the entity that the service has: let the service's side stand,"
                    + " and make the changes anew"
            )
        }
        guard try rebuild.has(entity.row, in: entity.table.name) else {
            throw StoreError(
                .wrongState,
                "the entity is deleted here: take back its creation, then delete the one that the service has"
            )
        }
        try checkType(of: entity)
    }

    /// - Throws: ``StoreError`` where the service's entity has another type than the values that are to change it.
    func checkType(of entity: ChangedEntity) throws {
        guard try !rebuild.has(entity.row, in: entity.table.name) || hasTypeOfTheirs(entity) else {
            throw StoreError(
                .wrongState,
                "the service's entity is of another type, which no change can give it: let the service's side stand,"
                    + " or delete the entity and create it anew"
            )
        }
    }

    private func hasTypeOfTheirs(_ entity: ChangedEntity) throws -> Bool {
        let (table, type) = (entity.table, SystemColumn.type.sql)
        return try connection.integer(
            """
            SELECT 1 FROM \(table.sql) m JOIN \(table.serverName.sqlQuoted) s ON s."$id" = m."$id"
            WHERE m."$id" = ?1 AND m.\(type) IS s.\(type)
            """,
            [.integer(entity.row)]
        ) != nil
    }

    /// Makes a creation a change of the service's entity, of which the row has its base copy by now; it keeps its place in the queue.
    func makeUpdate(of creation: QueueEntry, _ entity: ChangedEntity) throws {
        var update = creation
        update.method = "PATCH"
        update.flags.subtract([.insertsOwnRow, .upsert, .removeAfterUpload])
        try becomeTheirs(entity)
        let transaction = StoreTransaction(connection, schema: schema, options: ChangeOptions())
        let reference = RowReference(source: entity.source, row: entity.row)
        try connection.run(
            "UPDATE \"$queue\" SET \"method\" = ?2, \"url\" = ?3, \"flags\" = ?4, \"headers\" = ?5 WHERE \"id\" = ?1",
            [
                .integer(update.id), .text(update.method), .text(transaction.link(reference)),
                .integer(update.flags.rawValue), .init(Self.unconditional(update.headers)),
            ]
        )
        var body = try values(of: creation, entity)
        body.values.removeAll { entity.table.columns[$0.slot].keyIndex != nil }
        try replaceValues(of: update, entity: reference, body: body, in: transaction)
    }

    /// The row is one that the service has, and its copy is the service's.
    private func becomeTheirs(_ entity: ChangedEntity) throws {
        try rebuild.rows.changeState(of: entity.row, in: entity.table, removing: .created)
        try connection.run(
            """
            UPDATE \(entity.table.baseName.sqlQuoted) SET "$control" = NULL,
                "$state" = "$state" & ~\(RowState([.created, .local]).rawValue) WHERE "$id" = ?1
            """,
            [.integer(entity.row)]
        )
    }

    private func values(of creation: QueueEntry, _ entity: ChangedEntity) throws -> EntityBody {
        guard let plan = schema.plans.plan(for: entity.source),
            let body = try EntityBodyReader.readStrictly(
                Array((creation.body ?? "").utf8),
                plan: plan,
                in: schema
            )
        else { throw StoreError(.wrongState, "request \(creation.id) carries no entity") }
        return body
    }

    /// Header lines without the condition that the entity be new.
    private static func unconditional(_ headers: String?) -> String? {
        let lines = (headers ?? "").split(separator: "\n").filter {
            !$0.lowercased().hasPrefix("if-none-match:")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
