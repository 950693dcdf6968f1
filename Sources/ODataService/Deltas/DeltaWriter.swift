import ODataValues
import ODataBinding
import ODataSQL
import ODataAnswers
import ODataModel
import ODataTables

/// Writes the items of a delta answer in the form of 4.01, or of 4.0 (OData JSON 4.01 § 15, OData JSON 4.0 § 14).
struct DeltaWriter {
    let read: ReadAnswer
    let path: EntityPath
    let page: DeltaPage
    let format: AnswerFormat
    let items: DeltaItems
    private var isOld: Bool { format.version == .v4 }
    private var names: EntityNames { EntityNames(read.rows) }

    /// Returns the items as JSON, separated by commas.
    func json(_ entries: ArraySlice<DeltaItems.Item>) throws -> [UInt8] {
        let rows = entries.compactMap { item -> Int64? in
            if case .row(let row) = item { row } else { nil }
        }
        let answer = try entities(rows)
        var parts: [[UInt8]] = []
        var rest: [[UInt8]] = []
        for item in entries {
            switch item {
            case .removed(let url): parts.append(page.removed(url, .deleted))
            case .otherRemoved(let set, let url):
                parts.append(page.removed(url, of: set, .deleted))
            case .row(let row):
                guard !answer.rows.contains(row),
                    let url = try names.url(of: RowReference(source: path.source, row: row))
                else { continue }
                parts.append(page.removed(url, .changed))
            case .other(let entity, let options):
                rest.append(try other(entity, options))
            case .link(let source, let relationship, let target, let isAdded):
                rest.append(link(source, relationship: relationship, to: target, isAdded: isAdded))
            }
        }
        if !answer.entities.isEmpty { parts.append(answer.entities) }
        if isOld { rest += try singleLinks(of: answer.rows) }
        return Array((parts + rest).joined(separator: ",".utf8))
    }

    private var setName: String { read.model.name(of: path.source) }

    /// Those of the changed rows that are in the result.
    private func entities(_ rows: [Int64]) throws -> TableQuery.Answer {
        var shape = page.shape
        shape.expand.removeAll(where: items.standsAlone)
        return try read.query.entities(path, options: shape, among: rows, format: format)
    }

    // MARK: Parts

    private func other(_ entity: RowReference, _ options: BoundOptions) throws -> [UInt8] {
        let target = EntityPath(source: entity.source)
        var shape = BoundOptions()
        (shape.select, shape.compute) = (options.select, options.compute)
        let answer = try read.query.entities(
            target,
            options: shape,
            among: [entity.row],
            format: format
        )
        var body = EntityJSON(format)
        body.context(read.contextURL.entry(read.model.name(of: entity.source), kind: "$entity"))
        body.entity(answer.entities)
        return body.bytes
    }

    private func link(
        _ source: String,
        relationship: String,
        to target: String?,
        isAdded: Bool
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("@odata.context")
        writer.string(read.contextURL.entry(setName, kind: isAdded ? "$link" : "$deletedLink"))
        writer.name("source")
        writer.string(absolute(source))
        writer.name("relationship")
        writer.string(relationship)
        // The end of a single-valued relationship is known by its source.
        if let target {
            writer.name("target")
            writer.string(absolute(target))
        }
        writer.endObject()
        return writer.bytes
    }

    private func absolute(_ url: String) -> String { read.context.service.root + url }

    /// The links of changed entities by expanded single-valued properties, which a changed foreign key may have moved, or ended.
    private func singleLinks(of rows: [Int64]) throws -> [[UInt8]] {
        var links: [[UInt8]] = []
        for expand in page.shape.expand
        where items.standsAlone(expand) && !read.model[expand.navigation].isCollection {
            let name = read.model[expand.navigation].name
            for row in rows {
                guard let source = try names.url(of: RowReference(source: path.source, row: row))
                else { continue }
                let target = try target(source + "/" + name)
                links.append(
                    link(source, relationship: name, to: target, isAdded: target != nil)
                )
            }
        }
        return links
    }

    private func target(_ url: String) throws -> String? {
        try items.entity(at: url).flatMap(names.url)
    }
}
