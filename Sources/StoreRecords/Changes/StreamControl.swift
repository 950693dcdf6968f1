import ODataValues
package import ODataSQLite
package import ODataSQL

/// What the service has stated of a stream with its entity (OData JSON 4.01 §§ 4.6.12, 4.6.14, 9).
package struct StreamControl {
    /// A member of the control information.
    package enum Member: String {
        case etag = "mediaEtag"
        case readLink = "mediaReadLink"
        case editLink = "mediaEditLink"
    }

    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Returns a member; nil where the service has not stated it.
    ///
    /// Once one of the streams has changed, the row states the store's own ETags, and the server copy the service's.
    package func value(
        _ member: Member,
        of row: Int64,
        property: String,
        in table: TableLayout
    ) throws -> String? {
        let path = "$.\"\(property)@odata.\(member.rawValue)\""
        let tables = try connection.tableNames()
        for name in [table.baseName, table.name] where tables.contains(name) {
            let value = try connection.firstRow(
                "SELECT json_extract(\"$control\", ?2) FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row), .text(path)]
            ) { $0.optionalString(0) }
            if case .some(.some(let value)) = value { return value }
        }
        return nil
    }

    /// Returns where the stream is read: the stated read link, else the stated edit link (OData JSON 4.01 § 4.6.12).
    package func readLink(of row: Int64, property: String, in table: TableLayout) throws -> String?
    {
        try value(.readLink, of: row, property: property, in: table)
            ?? value(.editLink, of: row, property: property, in: table)
    }
}
