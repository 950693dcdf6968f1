package import ODataModel
package import ODataProtocol

/// Makes the links of rows: canonical where the key is known, else by the local id.
package struct EntityLink {
    private let rows: RowEditor

    package init(_ rows: RowEditor) {
        self.rows = rows
    }

    /// Returns the link of an entity, relative to the service root; nil where the row is not there.
    package func link(_ entity: RowReference) throws -> String? {
        guard let table = rows.layout[entity.source], try rows.catalog.exists(table.name) else { return nil }
        guard let predicate = try predicate(entity, table) else { return nil }
        switch entity.source {
        case .entitySet(let index): return rows.layout.model.container.entitySets[index].name + predicate
        case .singleton(let index): return rows.layout.model.container.singletons[index].name
        case .contained(let id):
            guard let parent = try parent(of: entity, in: table), let link = try link(parent) else { return nil }
            let segment = link + "/" + rows.layout.model[id].name
            return rows.layout.model[id].isCollection ? segment + predicate : segment
        }
    }

    /// The key predicate, or the local id where the key is not known yet.
    private func predicate(_ entity: RowReference, _ table: TableLayout) throws -> String? {
        if let key = try rows.key(of: entity.row, in: table) {
            return KeyPredicate.text(key, of: table, in: rows.layout.model)
        }
        if let local = try localID(of: entity.row) { return "($local='\(local.text)')" }
        return table.keyColumns.isEmpty ? "" : nil
    }

    /// Returns the local id of a row that was created here.
    package func localID(of row: Int64) throws -> LocalID? {
        let bytes = try rows.connection.firstRow(
            "SELECT \"id\" FROM \"$local\" WHERE \"row\" = ?1", [.integer(row)]) { $0.bytes(0) }
        return bytes.flatMap(LocalID.init(bytes:))
    }

    /// The row that contains a row.
    private func parent(of entity: RowReference, in table: TableLayout) throws -> RowReference? {
        guard case .contained(let id) = entity.source,
            case .integer(let row)? = try rows.value(SystemColumn.parent.sql, of: entity.row, in: table)
        else { return nil }
        for candidate in rows.layout.orderedTables
        where candidate.types.contains(where: { rows.layout.model.type($0, isOrExtends: id.type) }) {
            guard try rows.catalog.exists(candidate.name),
                try rows.value("\"$id\"", of: row, in: candidate) != nil
            else { continue }
            return RowReference(source: candidate.source, row: row)
        }
        return nil
    }
}

/// Writes key predicates.
package enum KeyPredicate {
    /// Returns the key in parentheses, `(5)` or `(A=1,B='x''y')`, percent-encoded for a path segment.
    package static func text(_ key: [Scalar], of table: TableLayout, in model: EdmModel) -> String {
        let parts = zip(model.key(of: table.entityType), zip(table.keyColumns, key)).map { part, value in
            let literal = literal(value.1, table.columns[value.0].form, in: model)
            return key.count == 1 ? literal : "\(part.name)=\(literal)"
        }
        return "(" + parts.joined(separator: ",") + ")"
    }

    private static func literal(_ value: Scalar, _ form: ScalarForm?, in model: EdmModel) -> String {
        var bytes: [UInt8] = []
        guard let form else { return "null" }
        form.write(value, in: model, into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        switch form {
        case .string: return "'" + encoded(text.replacingBytes(of: "'", with: "''")) + "'"
        case .enumeration(let id): return model[id].name + "'" + text + "'"
        case .duration: return "duration'" + text + "'"
        case .binary: return "binary'" + text + "'"
        default: return encoded(text)
        }
    }

    /// Percent-encodes what may not stand in a path segment (RFC 3986 § 3.3).
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x27, 0x21, 0x28, 0x29, 0x2A,
                0x2C, 0x3A, 0x40, 0x24, 0x3B:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}
