import ODataText
import ODataValues
import ODataBinding
import ODataSQL
package import ODataModel
package import ODataHTTP
package import ODataTables

/// Answers a reading request inside one read transaction.
package struct ReadAnswer {
    package var query: TableQuery
    let schema: TableSchema
    package let context: ServiceContext
    /// What answers questions about changes; nil where they are not tracked.
    var deltas: ServiceAdditions.Deltas?
    /// Distinguishes streams that were not downloaded from empty ones; nil where every stream is stored.
    var isUnknownStream: ServiceAdditions.StreamKnowledge?
    package var model: EdmModel { schema.model }
    package var rows: RowEditor { RowEditor(query.connection, layout: schema.layout) }
    package var contextURL: ContextURL {
        ContextURL(model: model, root: context.service.root, version: context.version)
    }

    /// Answers what the URL addresses.
    ///
    /// What there is to answer does not match `If-None-Match: *`, with an ETag or without (RFC 9110 § 13.1.2).
    func answer() throws -> HTTPResponse {
        let response = try resource()
        guard response.status == 200 || response.status == 206,
            let field = context.headers["If-None-Match"], EntityTagList(field) == .any
        else { return response }
        var headers = context.answerHeaders
        headers["ETag"] = response.headers["ETag"]
        return HTTPResponse(status: 304, headers: headers)
    }

    private func resource() throws -> HTTPResponse {
        let known = try context.bind(in: model, query.plans)
        let bound = known.bound
        guard context.method != "OPTIONS" else { return methods(of: bound.resource) }
        guard query.showsRelatives || !context.wantsRelatives else {
            var read = self
            read.query.showsRelatives = true
            return try read.resource()
        }
        switch bound.resource {
        case .serviceDocument: return try documents.serviceDocument()
        case .metadata: return try documents.metadata()
        case .batch: throw notAllowed("$batch takes POST", of: bound.resource)
        case .operation(let operation):
            if operation.isAction(in: model) {
                throw notAllowed(
                    "\(operation.name) is an action; call it with POST",
                    of: bound.resource
                )
            }
            throw ServiceError(
                501,
                "\(operation.name): functions are not answered here; the service itself may offer it"
            )
        case .entities(let path): return try answer(path, options: bound.options, knowing: known)
        case .crossjoin(let sources):
            return try JoinAnswer(read: self).combinations(of: sources, bound.options)
        case .all(let type):
            let response = try JoinAnswer(read: self).all(type, options: bound.options)
            return omittingNulls(of: response, bound.options)
        }
    }

    private var documents: DocumentAnswer {
        DocumentAnswer(schema: schema, connection: query.connection, context: context)
    }

    private func notAllowed(_ message: String, of resource: BoundResource) -> ServiceError {
        AllowedMethods(model: model).refusal(message, of: resource)
    }

    private func methods(of resource: BoundResource) -> HTTPResponse {
        var headers = context.answerHeaders
        headers["Allow"] = AllowedMethods(model: model).list(of: resource)
        return HTTPResponse(status: 204, headers: headers)
    }

    private func answer(
        _ path: EntityPath,
        options: BoundOptions,
        knowing known: KnownRequest
    ) throws -> HTTPResponse {
        if context.options.obeysRestrictions {
            try ReadRestrictions(path, in: model)?.check(path, options: options)
            try UnreadableProperties(model: model).check(path, options: options)
        }
        try ExpandRules(model: model).check(path, options: options)
        switch path.target {
        case .entities:
            let format = try format(options)
            let response =
                path.isSingle(in: model)
                ? try entity(path, options: options, format: format)
                : try collection(path, options: options, format: format, knowing: known)
            return omittingNulls(of: response, options)
        case .references: return try references(path, options: options)
        case .count where options.deltaToken != nil:
            return try changes(of: path, options: options, format: context.format)
        case .count:
            try checkOwner(path)
            return try text(String(query.count(path, options: options)))
        case .property(let names, let isRaw):
            if let stream = model.streamProperty(names, of: path) {
                try model.refuseRawStream(names, isRaw: isRaw)
                return try StreamAnswer(read: self).content(path, property: stream)
            }
            let response = try property(path, names: names, isRaw: isRaw, options: options)
            return isRaw ? response : omittingNulls(of: response, options)
        case .propertyCount(let names):
            return try propertyCount(path, names: names, options: options)
        case .mediaStream: return try StreamAnswer(read: self).content(path)
        }
    }

    func format(_ options: BoundOptions) throws -> AnswerFormat {
        var format = context.format
        try FormatNegotiation.apply(options.format, headers: context.headers, to: &format)
        return format
    }

    // MARK: Collections

    private func collection(
        _ path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat,
        knowing known: KnownRequest
    ) throws -> HTTPResponse {
        if options.deltaToken != nil {
            return try changes(of: path, options: options, format: format)
        }
        let delta = deltas?(self)
        let isPaged = pageSize != nil || options.skipToken != nil
        // Distinguishes continuations of one request from those of another.
        let request = isPaged ? context.url.url(without: ["skiptoken", "format", "count"]) : ""
        var page = TableQuery.Page(size: pageSize)
        var watermark = context.prefer.tracksChanges ? try delta?.watermark(of: path, options) : nil
        if let token = options.skipToken {
            (page, watermark) = try SkipToken.page(token, for: request)
        }
        let answer = try query.entities(
            path,
            options: options,
            page: page,
            format: format,
            known: known
        )
        if answer.entityCount == 0 { try checkOwner(path) }
        var body = CollectionBody(format)
        body.context(
            contextURL.entities(
                path,
                options: options,
                isSingle: false,
                parent: try parentURL(path)
            )
        )
        if let count = answer.totalCount { body.count(count) }
        body.value(answer.entities)
        if let next = answer.next {
            let token = SkipToken.text(next, watermark: watermark, for: request)
            body.nextLink(
                context.service.root
                    + context.url.url(without: ["skiptoken"], adding: "$skiptoken=" + token)
            )
        } else if let watermark, let delta {
            body.deltaLink(delta.link(since: watermark))
        }
        var response = json(body.finished(), format: format)
        notePageSize(options, in: &response)
        if watermark != nil, context.prefer.tracksChanges {
            applied(context.preferenceName("track-changes"), to: &response)
        }
        return response
    }

    /// The size of a page; nil for everything in one answer.
    package var pageSize: Int? {
        [context.prefer.maximumPageSize, context.options.pageSize].compactMap { $0 }.min()
            .map { min($0, context.options.limits.pageSize) }
    }

    /// States in the first page the largest size that is applied (OData 4.01 Part 1 § 8.2.8.5).
    func notePageSize(_ options: BoundOptions, in response: inout HTTPResponse) {
        guard context.prefer.maximumPageSize != nil, let pageSize, options.skipToken == nil else {
            return
        }
        applied("\(context.preferenceName("maxpagesize"))=\(pageSize)", to: &response)
    }

    /// Answers a delta link.
    private func changes(of path: EntityPath, options: BoundOptions, format: AnswerFormat) throws
        -> HTTPResponse
    {
        guard let delta = deltas?(self) else {
            throw ServiceError(501, "changes of this resource are not tracked")
        }
        return try delta.changes(of: path, options: options, format: format)
    }

    /// Leaves nulls out where the client prefers it (OData 4.01 Part 1 § 8.2.8.6).
    ///
    /// Answers about changes have them, and so do the rows of aggregations: there a value left out was rolled up.
    private func omittingNulls(of response: HTTPResponse, _ options: BoundOptions) -> HTTPResponse {
        guard context.prefer.omittedValues == "nulls", context.version == .v401,
            response.status == 200, options.deltaToken == nil, options.grouped == nil,
            let body = NullOmission.applied(to: response.body)
        else { return response }
        var response = response
        response.body = body
        applied("\(context.preferenceName("omit-values"))=nulls", to: &response)
        return response
    }

    private func applied(_ preference: String, to response: inout HTTPResponse) {
        let before = response.headers["Preference-Applied"].map { $0 + ", " } ?? ""
        response.headers["Preference-Applied"] = before + preference
    }

    /// Checks that the entity whose collection is requested exists.
    func checkOwner(_ path: EntityPath) throws {
        guard let end = path.trailingNavigation else { return }
        guard try query.rows(end.owner).isEmpty == false else {
            throw ServiceError(404, "there is no such entity")
        }
    }

    /// The entity-id of the entity that contains the ones addressed, with a cast where a derived type declares the containing property.
    func parentURL(_ path: EntityPath) throws -> String? {
        guard case .contained(let id)? = path.finalSource else { return nil }
        var owner = path
        owner.target = .entities
        while let last = owner.steps.popLast() {
            if case .navigation = last { break }
        }
        guard let row = try query.rows(owner).first, let url = try EntityNames(rows).url(of: row)
        else { return nil }
        let way = EntityLink(rows).path(from: row.source, to: id)
        return url + way.dropLast(model[id].name.count + 1)
    }

    // MARK: One entity

    private func entity(
        _ path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse {
        let answer = try query.entities(path, options: shape(options), format: format)
        guard answer.entityCount > 0 else { return try absent(path) }
        guard answer.entityCount == 1 else {
            throw ServiceError(409, "more than one entity has this alternate key")
        }
        try demandMatch(answer.etag)
        // The ETag says nothing of the entities that are expanded.
        if options.expand.isEmpty, let response = notModified(answer.etag) { return response }
        var response = try representation(
            answer,
            at: path,
            options: options,
            format: format,
            status: 200
        )
        response.headers["ETag"] = answer.etag
        return response
    }

    /// The options that say what of an entity is answered, without those that choose entities.
    private func shape(_ options: BoundOptions) -> BoundOptions {
        var shape = options
        (shape.filter, shape.top, shape.skip, shape.count) = (nil, nil, nil, false)
        return shape
    }

    /// A single-valued navigation property that leads to nothing is answered 204, and so is a singleton that is null; an entity that is
    /// not there 404.
    func absent(_ path: EntityPath) throws -> HTTPResponse {
        if try query.isNullSingleton(path) {
            return HTTPResponse(status: 204, headers: context.answerHeaders)
        }
        if path.trailingNavigation != nil {
            try checkOwner(path)
            return HTTPResponse(status: 204, headers: context.answerHeaders)
        }
        throw ServiceError(404, "there is no such entity")
    }

    /// The way to all entities among which a row is, of the type that a path says: a change may have taken it away from that path, by
    /// another key or another relation.
    func all(_ path: EntityPath, like row: RowReference) -> EntityPath {
        guard let type = path.entityType(in: model), type != model.entityType(of: row.source) else {
            return EntityPath(source: row.source)
        }
        return EntityPath(source: row.source, steps: [.cast(type)])
    }

    /// Writes one entity with its context, and states its ETag.
    func representation(
        of row: RowReference,
        at path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat,
        status: Int
    ) throws -> HTTPResponse {
        let answer = try query.entities(
            all(path, like: row),
            options: shape(options),
            among: [row.row],
            format: format
        )
        var response = try representation(
            answer,
            at: path,
            options: options,
            format: format,
            status: status
        )
        response.headers["ETag"] = format.showsLocalETags ? answer.etag : try etag(of: row)
        return response
    }

    private func representation(
        _ answer: TableQuery.Answer,
        at path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat,
        status: Int
    ) throws -> HTTPResponse {
        var body = EntityJSON(format)
        body.context(
            contextURL.entities(path, options: options, isSingle: true, parent: try parentURL(path))
        )
        body.entity(answer.entities)
        return json(body.bytes, format: format, status: status)
    }

    func etag(of entity: RowReference) throws -> String? {
        guard let table = schema.layout[entity.source] else { return nil }
        return try LocalETag.text(of: entity.row, in: table, rows.connection)
    }

    /// 412 where `If-Match` names another state (RFC 9110 § 13.1.1).
    func demandMatch(_ etag: String?) throws {
        guard let field = context.headers["If-Match"], let list = EntityTagList(field), let etag,
            list != .any, !list.weaklyContains(EntityTag(etag))
        else { return }
        throw ServiceError(412, "the entity has changed")
    }

    /// 304 where `If-None-Match` names the present state (RFC 9110 § 13.1.2).
    func notModified(_ etag: String?) -> HTTPResponse? {
        guard let field = context.headers["If-None-Match"], let list = EntityTagList(field),
            let etag, list != .any,
            list.weaklyContains(EntityTag(etag))
        else { return nil }
        var headers = context.answerHeaders
        headers["ETag"] = etag
        return HTTPResponse(status: 304, headers: headers)
    }

    // MARK: References

    private func references(_ path: EntityPath, options: BoundOptions) throws -> HTTPResponse {
        // What they do not have: properties (OData 4.01 Part 1 § 11.2.8).
        let unfit = [
            "$expand": !options.expand.isEmpty, "$compute": !options.compute.isEmpty,
            "$select": options.select.isPartial || !options.linked.isEmpty,
        ]
        if let option = unfit.filter(\.value).keys.min() {
            throw ServiceError(400, "$ref answers references alone; leave \(option) out")
        }
        let format = try format(options)
        var target = path
        target.target = .entities
        if format.isVerbose {
            return try verboseReferences(target, options: options, format: format)
        }
        var writer = JSONWriter()
        writer.beginObject()
        if path.isSingle(in: model) {
            guard let row = try query.rows(target).first else { return try absent(target) }
            if format.metadata != .none {
                writer.name("@odata.context")
                writer.string(contextURL.reference)
            }
            try id(of: row, &writer)
        } else {
            try checkOwner(target)
            if format.metadata != .none {
                writer.name("@odata.context")
                writer.string(contextURL.references)
            }
            try references(target, options: options, format: format, to: &writer)
        }
        writer.endObject()
        return json(writer.bytes, format: format)
    }

    private func references(
        _ path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat,
        to writer: inout JSONWriter
    ) throws {
        var keys = options
        (keys.select, keys.expand) = (.paths([]), [])
        let answer = try query.entities(path, options: keys, format: format)
        if let count = answer.totalCount { writer.count(count, format) }
        writer.name("value")
        writer.beginArray()
        for row in answer.rows {
            writer.beginObject()
            if let source = path.finalSource {
                try id(of: RowReference(source: source, row: row), &writer)
            }
            writer.endObject()
        }
        writer.endArray()
    }

    /// Links of versions 1 to 3 (OData JSON Verbose § 9).
    private func verboseReferences(
        _ path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat
    ) throws -> HTTPResponse {
        let isSingle = path.isSingle(in: model)
        if !isSingle { try checkOwner(path) }
        var keys = options
        (keys.select, keys.expand) = (.paths([]), [])
        let answer =
            isSingle ? nil : try query.entities(path, options: keys, format: format)
        let found = try answer?.rows ?? query.rows(path).map(\.row)
        if isSingle, found.isEmpty { return try absent(path) }
        let links = try found.compactMap { row -> [UInt8]? in
            guard let source = path.finalSource,
                let url = try EntityNames(rows, version: format.version).url(
                    of: RowReference(source: source, row: row)
                )
            else { return nil }
            var writer = JSONWriter()
            writer.beginObject()
            writer.name("uri")
            writer.string(context.service.root + url)
            writer.endObject()
            return writer.bytes
        }
        if isSingle {
            var body = EntityJSON(format)
            body.entity(links.first ?? [])
            return json(body.bytes, format: format)
        }
        var body = CollectionBody(format)
        if let count = answer?.totalCount { body.count(count) }
        body.value(Array(links.joined(separator: ",".utf8)))
        return json(body.finished(), format: format)
    }

    private func id(of row: RowReference, _ writer: inout JSONWriter) throws {
        guard let url = try EntityNames(rows).url(of: row) else { return }
        writer.name("@odata.id")
        writer.string(context.service.root + url)
    }

    // MARK: Answers

    package func json(_ body: [UInt8], format: AnswerFormat, status: Int = 200) -> HTTPResponse {
        var headers = context.answerHeaders
        headers["Content-Type"] = FormatNegotiation.contentType(format)
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// Whether an answer of text names its charset: not where `Accept` asks for text and for no charset (OData 4.01 Part 1 § 8.2.1).
    private var mayNameCharset: Bool {
        guard let accept = context.headers["Accept"].map({ AcceptHeader($0) }) else { return true }
        let ranges = accept.elements.filter {
            $0.quality > 0
                && ["text/plain", "text/*"].contains("\($0.range.type)/\($0.range.subtype)")
        }
        return ranges.isEmpty || ranges.contains { $0.range[parameter: "charset"] != nil }
    }

    /// 406 where `Accept` leaves out the media type that a value has (OData 4.01 Part 1 §§ 8.2.1, 11.2.4.2).
    ///
    /// Clients of versions 1 to 3 send one `Accept` with all requests.
    func demandAccepted(_ contentType: String) throws {
        guard context.version.isV4, let field = context.headers["Accept"],
            let type = MediaType(contentType)
        else { return }
        let accept = AcceptHeader(field)
        guard !accept.elements.isEmpty, accept.quality(of: type) == 0 else { return }
        throw ServiceError(406, "the value is \(type), Accept asks for something else")
    }

    func text(_ text: String) throws -> HTTPResponse {
        var headers = context.answerHeaders
        headers["Content-Type"] = "text/plain" + (mayNameCharset ? ";charset=utf-8" : "")
        return HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
    }
}

extension TableQuery {
    /// Whether a path leads to a singleton, perhaps as another type, that may be null and is (OData CSDL XML 4.01 § 13.3).
    func isNullSingleton(_ path: EntityPath) throws -> Bool {
        guard path.steps.allSatisfy(\.isCast), case .singleton(let index) = path.source,
            layout.model.container.singletons[index].isNullable
        else { return false }
        return try rows(EntityPath(source: path.source)).isEmpty
    }
}
