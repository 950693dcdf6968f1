import ODataText
import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataAnswers
import ODataTables

/// Puts the new name of an entity in the place of its old ones in queued requests: URLs, references, foreign keys, header templates.
struct QueuedNames {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let convention: LinkConvention
    /// Links by which requests name the entity so far.
    let oldLinks: [String]
    let newLink: String
    let key: KeyPair

    /// The keys of an entity, and whose they are.
    struct KeyPair {
        var table: TableLayout
        /// Keys that foreign keys may hold so far.
        var old: [[Scalar]]
        var new: [Scalar]
    }

    init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        from oldLinks: [String],
        to newLink: String,
        key: KeyPair
    ) throws {
        (self.connection, self.schema) = (connection, schema)
        (self.oldLinks, self.newLink, self.key) = (oldLinks, newLink, key)
        convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
    }

    /// Rewrites a request, in any state: one that is refused or parked may be sent again.
    func replace(in entry: QueueEntry) throws {
        let affected = try connection.firstRow(
            "SELECT \"affected\" FROM \"$queue\" WHERE \"id\" = ?1",
            [.integer(entry.id)]
        ) { $0.optionalString(0) }
        try connection.run(
            """
            UPDATE "$queue" SET "url" = ?2, "body" = ?3, "headers" = ?4, "affected" = ?5 WHERE "id" = ?1
            """,
            [
                .integer(entry.id), .text(url(entry.url)),
                Scalar(try entry.body.map { try body($0, of: entry) }),
                Scalar(entry.headers.map(headers)), Scalar((affected ?? nil).map(link)),
            ]
        )
    }

    // MARK: Links

    /// A URL with the reference behind `$id`.
    private func url(_ text: String) -> String {
        guard let place = text[...].firstRange(ofASCII: "$id=")?.upperBound else {
            return link(text)
        }
        return link(String(text[..<place])) + link(String(text[place...]))
    }

    /// A link to the entity or to something below it.
    func link(_ text: String) -> String {
        let relative = convention.normalized(text)
        for old in oldLinks where relative.utf8.starts(with: old.utf8) {
            let rest = String(Substring(relative.utf8.dropFirst(old.utf8.count)))
            guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { continue }
            return newLink + rest
        }
        return text
    }

    /// Header lines; those that begin with a space are templates.
    private func headers(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix(" ") else { return String(line) }
            let template = HeaderTemplate(text: String(line))
            return template.filled { placeholder in
                let entity = placeholder.entity.map { link($0) + "/" } ?? ""
                return "{" + entity + placeholder.property + "}"
            }
        }.joined(separator: "\n")
    }

    // MARK: Bodies

    private func body(_ text: String, of entry: QueueEntry) throws -> String {
        if entry.isLinkChange { return reference(text) }
        if entry.flags.contains(.operation) {
            let named = try EntityParameters.of(entry, text: text, in: schema)?.replacing(key)
            return parameters(named ?? Array(text.utf8))
        }
        guard var body = try QueuedBody.read(entry, in: schema) else { return text }
        let before = body.references
        let hasKeys = QueuedBody(schema).replaceKeys(key, in: &body)
        QueuedBody(schema).replaceLinks(in: &body, link)
        guard hasKeys || body.references != before else { return text }
        return String(decoding: try EntityBodyWriter.json(body, in: schema), as: UTF8.self)
    }

    /// The parameters of a call with the links in them.
    private func parameters(_ text: [UInt8]) -> String {
        guard let tree = JSONTree(text) else { return String(decoding: text, as: UTF8.self) }
        var bytes = tree.bytes
        for item in tree.root.texts.reversed() {
            let new = link(item.text)
            guard new != item.text else { continue }
            var writer = JSONWriter(capacity: 128)
            writer.string(new)
            bytes.replaceSubrange(item.range, with: writer.bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `{"@odata.id":"…"}`.
    private func reference(_ text: String) -> String {
        guard let place = ReferenceBody.place(in: text) else { return text }
        return text[..<place.lowerBound] + link(String(text[place])) + text[place.upperBound...]
    }
}
