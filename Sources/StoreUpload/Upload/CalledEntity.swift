package import ODataSQLite
package import StoreRecords
package import ODataSQL
import ODataBinding
import ODataHTTP
import ODataValues
package import ODataTables

/// The entity that a queued action or function is called on.
///
/// Its ETag guards the call as it guards a change, where the service wants that (OData 4.01 Part 1 § 8.2.4). Nothing else does: what
/// others have changed besides is no conflict of a call.
package struct CalledEntity {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        (self.connection, self.schema) = (connection, schema)
    }

    /// Returns the part of a call's URL that addresses the entity; nil for an unbound operation.
    package static func link(in url: String) -> String? {
        slash(in: url).map { String(url[..<$0]) }
    }

    /// The slash before the operation's name, not one inside quotes, parentheses or the query.
    package static func slash(in url: String) -> String.Index? {
        var depth = 0
        var isQuoted = false
        var last: String.Index?
        for index in url.indices {
            switch url[index] {
            case "'": isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where !isQuoted: depth -= 1
            case "/" where !isQuoted && depth == 0: last = index
            case "?" where !isQuoted && depth == 0: return last
            default: break
            }
        }
        return last
    }

    /// Returns the entity of a call; nil where it is called on none, or on a collection.
    package func reference(of entry: QueueEntry) throws -> RowReference? {
        guard entry.flags.contains(.operation), let link = Self.link(in: entry.url),
            let request = try? BoundRequest(parsing: link, in: schema.model),
            case .entities(let path) = request.resource, path.isSingle(in: schema.model)
        else { return nil }
        return try TableQuery(connection, layout: schema.layout).rows(path).first
    }

    /// Returns the ETag of the service's version that is known of the entity; nil where none is.
    package func etag(of entry: QueueEntry) throws -> String? {
        guard let entity = try reference(of: entry), let table = schema.layout[entity.source] else {
            return nil
        }
        let etag = try connection.firstRow(
            "SELECT \"$etag\" FROM \(version(of: entity, table).sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(entity.row)]
        ) { $0.optionalString(0) }
        return if let etag, etag != ETagState.stale { etag } else { nil }
    }

    /// Whether what the service has of the entity is the version that the call was made on.
    ///
    /// If an own request has changed the entity since, and no answer showed the result, nothing can be compared: that is no reason against
    /// the call.
    package func isUnchanged(_ entity: RowReference, body: EntityBody, etag: String?) throws
        -> Bool
    {
        guard let table = schema.layout[entity.source] else { return false }
        let name = try version(of: entity, table)
        let known = try connection.firstRow(
            "SELECT \"$etag\" FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(entity.row)]
        ) { $0.optionalString(0) }
        if let known = known ?? nil, known == ETagState.stale || EntityTag.areSame(known, etag) {
            return true
        }
        guard let values = try StoredValues(of: entity.row, in: table, named: name, rows) else {
            return false
        }
        return body.values.allSatisfy { item in
            values.isSame(item) || schema.isComputed(table.columns[item.slot])
                || values.isUnknown(item.slot)
        }
    }

    /// The table with the service's version: the base copy where the entity has changes of its own.
    private func version(of entity: RowReference, _ table: TableLayout) throws -> String {
        let hasBase = try RowRebuild(connection, layout: schema.layout).has(
            entity.row,
            in: table.baseName
        )
        return hasBase ? table.baseName : table.name
    }

    // MARK: What the service wants

    /// Whether the service has refused a call for want of an ETag: from then on calls carry one.
    package static func isETagWanted(_ connection: SQLiteConnection) throws -> Bool {
        try connection.metaValue("callsWantETag") == .integer(1)
    }

    /// Writes down that it has.
    package static func setETagWanted(_ connection: SQLiteConnection) throws {
        try connection.setMetaValue("callsWantETag", to: .integer(1))
    }

    /// Takes the ETag that a call is to be sent with.
    package func take(_ etag: String?, for entry: QueueEntry) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"etag\" = ?2 WHERE \"id\" = ?1",
            [.integer(entry.id), Scalar(etag)]
        )
    }
}
