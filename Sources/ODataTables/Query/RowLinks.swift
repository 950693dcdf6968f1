import ODataSQLite
import ODataSQL
import ODataValues
import ODataBinding
import ODataModel
import ODataURL

/// What the links of the rows of a level are made of; made once, since a row would copy all of it.
final class LevelLinks {
    fileprivate let model: EdmModel
    fileprivate let format: AnswerFormat
    fileprivate let links: EntityLink
    fileprivate let source: NavigationSource
    private let urls: EntityURL
    private let table: TableLayout
    /// Columns of the statement that hold the key.
    private let keyColumns: [Int]

    init(_ statement: SelectStatement, query: TableQuery, format: AnswerFormat) {
        model = query.layout.model
        self.format = format
        table = statement.table
        links = EntityLink(RowEditor(query.connection, layout: query.layout))
        source = table.source
        urls = EntityURL(model: model, version: format.version)
        keyColumns = table.keyColumns.compactMap { place in
            statement.places.firstIndex(of: place).map { SelectStatement.firstProperty + $0 }
        }
    }

    /// The entity-id relative to the service root; nil where the row has neither key nor local id.
    fileprivate func id(of row: SQLiteStatement) throws -> String? {
        let key = keyColumns.map { row.scalar($0) }
        let isKnown =
            !key.isEmpty
            && zip(table.keyColumns, key).allSatisfy {
                $1 != .null && !UnknownValue.isUnknown($1, in: table.columns[$0])
            }
        // Only entities of sets have URLs that their key alone makes.
        if isKnown, !table.isContained { return urls.canonical(source, key: key) }
        let row = row.integer(SelectStatement.place(of: .id))
        return try links.link(RowReference(source: source, row: row))
    }
}

/// The links of one row, for answers that contain them.
struct RowLinks {
    /// The entity's URL, absolute; nil where the row has neither key nor local id.
    let uri: String?
    private let id: String?
    private let level: LevelLinks

    private var model: EdmModel { level.model }
    private var format: AnswerFormat { level.format }
    private var links: EntityLink { level.links }
    private var source: NavigationSource { level.source }

    init(_ row: SQLiteStatement, of level: LevelLinks) throws {
        self.level = level
        id = try level.id(of: row)
        uri = id.map { level.format.serviceRoot + $0 }
    }

    /// Writes entity-id and edit link (OData JSON 4.01 §§ 4.6.7, 4.6.8).
    func writeIDs(to writer: inout JSONWriter) {
        guard let id else { return }
        writeID(to: &writer)
        writer.name("@odata.editLink")
        // It is relative: a colon would end a scheme (OData JSON 4.01 § 4.3).
        writer.string(id.replacing(":", with: "%3A"))
    }

    /// Writes the entity-id alone.
    func writeID(to writer: inout JSONWriter) {
        guard let uri else { return }
        writer.name("@odata.id")
        writer.string(uri)
    }

    /// Writes the links of the navigation properties that `$select` names (OData 4.01 Part 1 § 11.2.5.1), as far as the type has them.
    func writeLinked(
        of type: StructuredTypeID,
        _ options: BoundOptions,
        to writer: inout JSONWriter
    ) {
        guard let uri else { return }
        let expanded = Set(options.expand.map(\.navigation))
        for property in options.linked
        where !expanded.contains(property) && model.type(type, isOrExtends: property.type) {
            writer.name(model[property].name + "@odata.navigationLink")
            writer.string(uri + links.path(from: source, to: property))
        }
    }

    /// Writes the links of navigation properties that are not expanded.
    func writeNavigation(
        of type: StructuredTypeID,
        _ options: BoundOptions,
        to writer: inout JSONWriter
    ) {
        guard let uri else { return }
        let expanded = Set(options.expand.map { model[$0.navigation].name })
        for property in model.navigationProperties(of: type)
        where !expanded.contains(property.name) && isSelected(property.name, by: options) {
            let path = model.navigationProperty(property.name, of: type).map {
                links.path(from: source, to: $0)
            }
            let link = uri + (path ?? "/" + property.name)
            if format.isVerbose {
                writer.name(property.name)
                writer.beginObject()
                writer.name("__deferred")
                writer.beginObject()
                writer.name("uri")
                writer.string(link)
                writer.endObject()
                writer.endObject()
            } else {
                writer.name(property.name + "@odata.associationLink")
                writer.string(link + "/$ref")
                writer.name(property.name + "@odata.navigationLink")
                writer.string(link)
            }
        }
    }

    /// Writes the links of the streams of an entity, unless its row states others (OData JSON 4.01 § 4.6.12).
    func writeMedia(
        of type: StructuredTypeID,
        _ select: BoundSelect,
        of row: RowWriter,
        to writer: inout JSONWriter
    ) {
        guard let uri else { return }
        let lineage = model.lineage(of: type)
        if lineage.contains(where: { model[$0].hasStream }) {
            writeMedia(of: "", uri + "/$value", of: row, to: &writer)
        }
        for owner in lineage {
            for property in model[owner].properties
            where property.type.type == .primitive(.stream) && !property.type.isCollection
                && Self.isSelected(property.name, by: select)
            {
                let link = uri + links.cast(from: source, to: owner) + "/" + property.name
                writeMedia(of: property.name, link, of: row, to: &writer)
            }
        }
    }

    private func writeMedia(
        of property: String,
        _ link: String,
        of row: RowWriter,
        to writer: inout JSONWriter
    ) {
        for kind in ["mediaReadLink", "mediaEditLink"] {
            let name = "\(property)@odata.\(kind)"
            guard !row.hasControl(name) else { continue }
            writer.name(name)
            writer.string(link)
        }
    }

    private func isSelected(_ navigation: String, by options: BoundOptions) -> Bool {
        Self.isSelected(navigation, by: options.select)
            || options.linked.contains { model[$0].name == navigation }
    }

    private static func isSelected(_ name: String, by select: BoundSelect) -> Bool {
        guard case .paths(let paths) = select else { return true }
        return paths.contains([name])
    }
}
