import ODataText
import ODataValues
import ODataBinding
import ODataSQL
import ODataModel
import ODataHTTP
import ODataTables

/// Answers requests that reach over several sets: `$all` and `$crossjoin` (OData 4.01 Part 2 §§ 4.12, 4.15).
struct JoinAnswer {
    let read: ReadAnswer
    private var context: ServiceContext { read.context }
    private var model: EdmModel { read.model }

    // MARK: $crossjoin

    func combinations(of sources: [NavigationSource], _ options: BoundOptions) throws
        -> HTTPResponse
    {
        if context.options.obeysRestrictions, let source = sources.first(where: model.isUnreadable)
        {
            throw ServiceError(400, "entities of \(model.name(of: source)) cannot be read")
        }
        let format = try read.format(options)
        let page = try self.page(options)
        let found = try read.query.combinations(of: sources, options, page: page)
        let writer = try CombinationWriter(
            self,
            sources: sources,
            options: options,
            found: found,
            format: format
        )
        let items = found.items.map(writer.object).joined(separator: ",".utf8)
        return try answer(
            Array(items),
            type: "Edm.ComplexType",
            total: found.totalCount,
            next: found.next,
            options: options,
            format: format
        )
    }

    // MARK: $all

    func all(_ type: StructuredTypeID?, options: BoundOptions) throws -> HTTPResponse {
        var format = try read.format(options)
        format.isMixed = true
        let page = try self.page(options)
        let paths = paths(to: type)
        var skipped = (options.skip ?? 0) + page.offset
        let wanted = [options.top.map { max(0, $0 - page.offset) }, page.size.map { $0 + 1 }]
            .compactMap { $0 }.min()
        var found: [[UInt8]] = []
        var count = 0
        var each = options
        (each.top, each.skip, each.count) = (nil, nil, false)
        for path in paths where wanted.map({ count < $0 }) ?? true {
            let matches = Int(clamping: try read.query.count(path, options: each))
            guard matches > skipped else {
                skipped -= matches
                continue
            }
            each.skip = skipped
            each.top = wanted.map { $0 - count }
            if let size = page.size, let top = each.top { each.top = min(top, size - count) }
            format.entityContext = read.contextURL.entities(
                path,
                options: each,
                isSingle: true,
                parent: nil
            )
            let answer = try read.query.entities(path, options: each, format: format)
            (each.top, each.skip, skipped) = (nil, nil, 0)
            if answer.entityCount > 0 { found.append(answer.entities) }
            count += answer.entityCount
        }
        let total =
            options.count
            ? try paths.reduce(0) { try $0 + read.query.count($1, options: each) } : nil
        let limit = options.top.map { max(0, $0 - page.offset) } ?? .max
        let isCut = page.size.map { count == $0 && limit > count } ?? false
        return try answer(
            Array(found.joined(separator: ",".utf8)),
            type: type.map { model[$0].name } ?? "Edm.EntityType",
            total: total,
            next: isCut ? TableQuery.Page(size: page.size, offset: page.offset + count) : nil,
            options: options,
            format: format
        )
    }

    /// The sets and singletons that may hold entities of a type, but for what the service does not publish.
    private func paths(to type: StructuredTypeID?) -> [EntityPath] {
        read.schema.layout.sources.compactMap { source in
            if case .contained = source { return nil }
            if case .entitySet(let index) = source,
                !model.container.entitySets[index].isInServiceDocument
            {
                return nil
            }
            if context.options.obeysRestrictions, model.isUnreadable(source) { return nil }
            guard let type, let own = model.entityType(of: source) else {
                return EntityPath(source: source)
            }
            if model.type(own, isOrExtends: type) { return EntityPath(source: source) }
            guard model.type(type, isOrExtends: own) else { return nil }
            return EntityPath(source: source, steps: [.cast(type)])
        }
    }

    // MARK: Both

    private var request: String { context.url.url(without: ["skiptoken", "format", "count"]) }

    private func page(_ options: BoundOptions) throws -> TableQuery.Page {
        guard let token = options.skipToken else { return TableQuery.Page(size: read.pageSize) }
        return try SkipToken.page(token, for: request).0
    }

    private func answer(
        _ items: [UInt8],
        type: String,
        total: Int64?,
        next: TableQuery.Page?,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse {
        var body = CollectionBody(format)
        body.context(read.contextURL.collection(of: type))
        if let total { body.count(total) }
        body.value(items)
        if let next {
            let token = SkipToken.text(next, watermark: nil, for: request)
            let link = context.url.url(without: ["skiptoken"], adding: "$skiptoken=" + token)
            body.nextLink(context.service.root + link)
        }
        var response = read.json(body.finished(), format: format)
        read.notePageSize(options, in: &response)
        return response
    }
}

/// Writes the combinations of a cross join: expanded sets inline, links to the others.
private struct CombinationWriter {
    private let names: [String]
    /// Objects of the entities of expanded sets; nil for the others.
    private let objects: [[Int64: [UInt8]]?]
    private let found: TableQuery.Combinations
    private let hasLinks: Bool
    private let root: String

    init(
        _ answer: JoinAnswer,
        sources: [NavigationSource],
        options: BoundOptions,
        found: TableQuery.Combinations,
        format: AnswerFormat
    ) throws {
        let read = answer.read
        names = sources.map { read.model.name(of: $0) }
        self.found = found
        hasLinks = format.metadata != .none
        root = format.serviceRoot
        objects = try sources.enumerated().map { index, source in
            guard let joined = options.joined.first(where: { $0.source == source }) else {
                return nil
            }
            let rows = Set(found.items.map { $0[index].row }).sorted()
            return try read.query.objects(of: source, joined.options, rows: rows, format: format)
        }
    }

    func object(_ members: [TableQuery.Member]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (index, member) in members.enumerated() {
            if let objects = objects[index] {
                writer.name(names[index])
                let object = objects[member.row] ?? Array("null".utf8)
                writer.raw(object.span)
            } else if hasLinks, let url = member.url {
                writer.name(names[index] + "@odata.navigationLink")
                writer.string(url)
            }
        }
        writer.endObject()
        return writer.bytes
    }
}
