import StoreRecords
import ODataSQL
import ODataSQLite
import ODataText
import ODataModel
import ODataTables

/// Puts the links that the service has given to entities in the place of those of the convention.
///
/// A client changes an entity where its edit link leads, and names it by its id (OData 4.01 Part 1 § 11.4, § 4).
struct AddressedLinks {
    /// Links of the convention, as a request says them, and what stands for them.
    private var addresses: [(usual: String, address: EntityAddress)] = []
    private let convention: LinkConvention
    /// Whether an entity is named by its id; versions 1 to 3 want the URI at which it is, which the id of an Atom entry need not be.
    private let namesByID: Bool

    /// Looks up the entities that a request names.
    init(
        of rows: [RowReference],
        on connection: SQLiteConnection,
        schema: TableSchema,
        as form: WireForm
    ) throws {
        convention = LinkConvention(schema, root: try ServiceRoot.text(connection))
        namesByID = schema.model.version.isV4
        let known = EntityAddresses(connection)
        let editor = RowEditor(connection, layout: schema.layout)
        for row in rows {
            guard let address = try known.address(of: row.row),
                let link = try EntityLink(editor, includesDeleted: true).link(row)
            else { continue }
            addresses.append((form.url(link), address))
        }
        // The link of what an entity contains begins with its own.
        addresses.sort { $0.usual.utf8.count > $1.usual.utf8.count }
    }

    /// The URL of a request.
    func url(_ url: String) -> String {
        for item in addresses {
            guard let target = item.address.target, convention.isOwn(target),
                url.utf8.starts(with: item.usual.utf8)
            else { continue }
            let rest = String(Substring(url.utf8.dropFirst(item.usual.utf8.count)))
            guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { continue }
            return Self.extended(target, by: named(rest))
        }
        return named(url)
    }

    /// A link with what stands behind it; its query stays at the end.
    private static func extended(_ target: String, by rest: String) -> String {
        guard !rest.isEmpty else { return target }
        var parts = URLParts(rest)
        let before = URLParts(target)
        parts.path = before.path + parts.path
        parts.options += before.options
        return parts.url
    }

    /// A reference behind `$id`.
    private func named(_ text: String) -> String {
        guard let place = text[...].firstRange(ofASCII: "$id=")?.upperBound else { return text }
        let link = String(text[place...])
        return text[..<place] + (addresses.isEmpty ? link : self.link(link))
    }

    /// What stands for a link, relative or absolute.
    func link(_ link: String) -> String {
        let relative = convention.normalized(link)
        let found = addresses.first { $0.usual.utf8.elementsEqual(relative.utf8) }
        guard let address = found?.address else { return link }
        if let id = address.id, namesByID || leadsToEntity(id) { return id }
        return address.edit ?? link
    }

    /// Whether an id is a URI at which the service has its entity (RFC 4287 § 4.2.6 allows any other one).
    private func leadsToEntity(_ id: String) -> Bool {
        let start = id.prefix { !"/(?'".contains($0) }
        return convention.isOwn(id) && (LinkConvention.isAbsolute(id) || !start.contains(":"))
    }

    /// The body of a request of version 4: what it binds is named by its id.
    func body(_ text: String) -> String {
        guard !addresses.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.firstRange(ofASCII: "@odata.bind\":") {
            result += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...]
            let isList = rest.first == "["
            let end = isList ? rest.firstIndex(of: "]") : Self.endOfString(rest)
            guard let end else { break }
            result += replaced(rest[..<end])
            rest = rest[end...]
        }
        return result + rest
    }

    private static func endOfString(_ text: Substring) -> Substring.Index? {
        guard let start = text.firstIndex(of: "\""),
            let end = text[text.index(after: start)...].firstIndex(of: "\"")
        else { return nil }
        return text.index(after: end)
    }

    private func replaced(_ text: Substring) -> String {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .map { $0.offset.isMultiple(of: 2) ? String($0.element) : link(String($0.element)) }
            .joined(separator: "\"")
    }
}
