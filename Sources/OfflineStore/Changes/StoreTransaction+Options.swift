import StoreRecords
package import ODataSQL
import ODataHTTP
import ODataTables

/// What the options of a change become in its request.
extension StoreTransaction {
    /// The name of a transaction or category; an entity gives it by its id, which stays the same when the key comes to be known.
    func groupName(
        _ group: ChangeOptions.Group?,
        affected: RowReference,
        url: String
    ) throws -> String? {
        switch group {
        case nil: return nil
        case .named(let name): return name
        case .affected: return try groupName(of: affected) ?? url
        case .entity(let url):
            guard case .row(let row) = try find(url), let name = try groupName(of: row) else {
                throw EditError(
                    .notFound,
                    "the entity that names the group is not in the store: \(url)"
                )
            }
            return name
        }
    }

    /// The id by which an entity names a transaction or a category: its local id, else its link.
    package func groupName(of entity: RowReference) throws -> String? {
        if let local = try EntityLink(rows).localID(of: entity.row) { return local.text }
        return try EntityLink(rows).link(entity)
    }

    /// The link of the entity that a request is about; of a deleted one the URL of the request.
    func groupLink(_ affected: RowReference, url: String) throws -> String? {
        try EntityLink(rows).link(affected) ?? url
    }

    /// The header fields of the request, a line each; templates begin with a space.
    ///
    /// - Throws: `EditError` where one of them cannot be sent: its batch would be refused for it.
    func headerLines(_ further: (String, String)? = nil) throws -> String? {
        var fields = options.headers
        for field in fields.fields + options.headerTemplates.fields {
            guard HTTPFieldRules.isName(field.name), HTTPFieldRules.isValue(field.value) else {
                throw EditError(
                    .invalid,
                    "the header field '\(HTTPFieldRules.cleaned(field.name))' cannot be sent: its name must be a token, and its value must hold no control characters (RFC 9110 § 5)"
                )
            }
        }
        if let further, fields[further.0] == nil { fields[further.0] = further.1 }
        let lines =
            fields.fields.map { "\($0.name): \($0.value)" }
            + options.headerTemplates.fields.map { " \($0.name): \($0.value)" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Rows that header templates name: the request waits until their keys are known.
    ///
    /// - Throws: `EditError` where a template names what is not there, or what the request itself will make.
    func rowsInHeaders(_ own: RowReference, isCreation: Bool) throws -> [Int64] {
        guard !options.headerTemplates.fields.isEmpty else { return [] }
        let values = HeaderValues(connection, schema: schema)
        var rows: [Int64] = []
        for field in options.headerTemplates.fields {
            for placeholder in HeaderTemplate(text: field.value).placeholders {
                let row = try values.row(of: placeholder, own: own)
                rows.append(row.row)
                guard isCreation, row == own, try !values.isKnown(placeholder, own: own) else {
                    continue
                }
                throw EditError(
                    .invalid,
                    "\(field.name) names \(placeholder.property), which the service gives only when it answers this request"
                )
            }
        }
        return rows
    }
}
