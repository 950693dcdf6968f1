package import ODataSQLite
package import ODataSQL
import ODataBinding
import ODataValues
import ODataModel
package import ODataTables

/// A header field whose value names properties of entities in braces.
///
/// `{ID}` is one of the entity that the request is about, `{Orders($local='…')/ID}` one of another entity. The values are put in when
/// the request is sent, when keys are known.
package struct HeaderTemplate {
    /// A placeholder: where it stands, and what it names.
    package struct Placeholder {
        var range: Range<String.Index>
        /// URL of the entity; nil for the one that the request is about.
        package var entity: String?
        package var property: String
    }

    package let text: String

    package init(text: String) {
        self.text = text
    }

    /// The placeholders in order; braces that are not closed are text.
    package var placeholders: [Placeholder] {
        var found: [Placeholder] = []
        var rest = text.startIndex
        while let open = text[rest...].firstIndex(of: "{"),
            let close = text[open...].firstIndex(of: "}")
        {
            let inner = text[text.index(after: open)..<close]
            let slash = inner.lastIndex(of: "/")
            found.append(
                Placeholder(
                    range: open..<text.index(after: close),
                    entity: slash.map { String(inner[..<$0]) },
                    property: String(slash.map { inner[inner.index(after: $0)...] } ?? inner)
                )
            )
            rest = text.index(after: close)
        }
        return found
    }

    /// Returns the text with the values that a function gives.
    package func filled(_ value: (Placeholder) throws -> String) rethrows -> String {
        var result = ""
        var rest = text.startIndex
        for placeholder in placeholders {
            result += text[rest..<placeholder.range.lowerBound]
            result += try value(placeholder)
            rest = placeholder.range.upperBound
        }
        return result + text[rest...]
    }
}

/// Gives the values that header templates name.
package struct HeaderValues {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// The row that a placeholder names.
    ///
    /// - Throws: `EditError` where there is none, or where its type has no such property.
    package func row(of placeholder: HeaderTemplate.Placeholder, own: RowReference) throws
        -> RowReference
    {
        let row = try placeholder.entity.map(find) ?? own
        _ = try slot(of: placeholder.property, row.source)
        return row
    }

    private func find(_ url: String) throws -> RowReference {
        let request = try BoundRequest(
            parsing: ServiceRoot.relative(url, on: connection),
            in: schema.model
        )
        guard case .entities(let path) = request.resource,
            let row = try TableQuery(connection, layout: schema.layout).rows(path).first
        else {
            throw EditError(.notFound, "a header names an entity that is not in the store: \(url)")
        }
        return row
    }

    private func slot(of property: String, _ source: NavigationSource) throws -> Int {
        guard let table = schema.layout[source],
            let slot = table.columns.firstIndex(where: { $0.path == [property] && $0.form != nil })
        else {
            throw EditError(
                .invalid,
                "a header names \(property), which is no property of \(schema.model.name(of: source))"
            )
        }
        return slot
    }

    /// Whether the value of a placeholder is known by now.
    package func isKnown(_ placeholder: HeaderTemplate.Placeholder, own: RowReference) throws
        -> Bool
    {
        try text(placeholder, own: own) != nil
    }

    /// The value as text, nil where it is not known yet; what could end a header field becomes a space.
    package func text(_ placeholder: HeaderTemplate.Placeholder, own: RowReference) throws
        -> String?
    {
        let row = try row(of: placeholder, own: own)
        let slot = try slot(of: placeholder.property, row.source)
        guard let table = schema.layout[row.source], let form = table.columns[slot].form,
            let value = try RowEditor(connection, layout: schema.layout).values(
                of: row.row,
                in: table
            )?[
                slot
            ],
            !UnknownValue.isUnknown(value, in: table.columns[slot])
        else { return nil }
        guard value != .null else { return "" }
        if case .text(let text) = value, form == .string { return Self.cleaned(text) }
        var bytes: [UInt8] = []
        form.write(value, in: schema.model, into: &bytes)
        return Self.cleaned(String(decoding: bytes, as: UTF8.self))
    }

    private static func cleaned(_ text: String) -> String {
        String(
            decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 },
            as: UTF8.self
        )
    }
}
