import ODataBinding
import ODataSQL
import ODataValues
import ODataModel
import ODataPayload
import ODataText
import ODataHTTP
import ODataTables

/// Carries out a changing request inside one write transaction and answers it.
struct WriteAnswer {
    let writing: any EntityWriting
    private(set) var context: ServiceContext
    /// What the requests of the transaction share.
    private let plans: ChangePlans
    /// Whether the client has said what of the answer it wants in a way that is not offered: the change is made all the same, and
    /// nothing is answered of an entity that it knows (OData 4.01 Part 1 § 11.4.1.5).
    private var leavesOptionsOut = false
    var schema: TableSchema { writing.schema }
    var model: EdmModel { writing.schema.model }

    init(writing: any EntityWriting, context: ServiceContext, plans: ChangePlans) {
        (self.writing, self.context, self.plans) = (writing, context, plans)
    }

    /// Reads within the same transaction, changes included.
    func reading() throws -> ReadAnswer {
        var query = try writing.query()
        query.rowPlans = plans.rows
        return ReadAnswer(query: query, schema: schema, context: context)
    }

    /// Carries out what method and URL say.
    func answer() throws -> HTTPResponse {
        let bound: BoundRequest
        do {
            bound = try answerable()
        } catch let error as ServiceError {
            guard error.status == 501, let plain = withoutAnswerOptions else { throw error }
            return try plain.answer()
        }
        switch bound.resource {
        case .serviceDocument, .metadata, .all, .crossjoin: throw notAllowed(bound.resource)
        case .batch where context.method != "POST": throw notAllowed(bound.resource)
        case .batch: throw ServiceError(400, "$batch cannot stand in a batch")
        case .operation(let operation):
            guard !operation.isFunction(in: model) else { throw notAllowed(bound.resource) }
            guard let calls = writing as? any OperationWriting else {
                throw ServiceError(
                    501,
                    "\(operation.name): operations are not offered by this service"
                )
            }
            guard context.method == "POST" else { throw notAllowed(bound.resource) }
            try calls.call(
                operation,
                method: "POST",
                url: ([context.url.path] + [context.url.options.joined(separator: "&")])
                    .filter { !$0.isEmpty }.joined(separator: "?"),
                body: context.body
            )
            // Accepted: the service will carry it out later.
            return HTTPResponse(status: 202, headers: context.answerHeaders)
        case .entities(let path):
            try refuseChoice()
            do {
                return try answer(path, options: bound.options)
            } catch let error as EditError {
                guard error.code == .notAllowed else { throw error }
                throw AllowedMethods(model: model).refusal(error.message, of: bound.resource)
            }
        }
    }

    /// Refuses options that choose among items: a change would concern all of them.
    private func refuseChoice() throws {
        let names = ["filter", "search", "orderby", "top", "skip", "count", "apply"]
        // A cast or a filter segment in the path is a condition, too.
        guard names.contains(where: { context.url.value($0) != nil }) else { return }
        throw ServiceError(
            400,
            "\(context.method) takes none of $filter, $search, $orderby, $top, $skip, $count and $apply: it would change all items"
        )
    }

    /// The request with options that an answer can follow.
    private func answerable() throws -> BoundRequest {
        let bound = try context.bind(in: model, plans).bound
        if case .entities(let path) = bound.resource {
            try ExpandRules(model: model).check(path, options: bound.options)
        }
        return bound
    }

    /// The same change without the options that say what of it is answered; nil where there are none.
    private var withoutAnswerOptions: WriteAnswer? {
        guard context.url.value("select") != nil || context.url.value("expand") != nil else {
            return nil
        }
        var plain = self
        plain.context.url = URLParts(context.url.url(without: ["select", "expand"]))
        plain.leavesOptionsOut = true
        return plain
    }

    private func answer(_ path: EntityPath, options: BoundOptions) throws -> HTTPResponse {
        switch path.target {
        case .entities: return try entities(path, options: options)
        case .references: return try LinkAnswer(write: self).answer(path)
        case .count, .propertyCount: throw notAllowed(.entities(path))
        case .property(let names, let isRaw):
            if let stream = model.streamProperty(names, of: path) {
                try model.refuseRawStream(names, isRaw: isRaw)
                return try StreamChange(write: self).answer(path, property: stream)
            }
            return try PropertyChange(write: self)
                .answer(path, names: names, isRaw: isRaw, select: options.select)
        case .mediaStream: return try StreamChange(write: self).answer(path)
        }
    }

    func notAllowed(_ resource: BoundResource) -> ServiceError {
        let methods = AllowedMethods(model: model)
        return methods.refusal(
            "\(context.method) is not allowed here; allowed: \(methods.list(of: resource))",
            of: resource
        )
    }

    private func entities(_ path: EntityPath, options: BoundOptions) throws -> HTTPResponse {
        let isSingle = path.isSingle(in: model)
        switch context.method {
        case "POST" where !isSingle:
            if isMediaType(path), !isJSONBody {
                return try StreamChange(write: self).create(path, options: options)
            }
            return try create(readBody(path), at: path, options: options)
        case "PATCH" where isSingle, "MERGE" where isSingle, "PUT" where isSingle:
            return try update(path, options: options)
        case "DELETE" where isSingle:
            try demandAllowed(path)
            try demandPrecondition(path)
            try writing.delete(at: path, precondition: precondition(path))
            return HTTPResponse(status: 204, headers: context.answerHeaders)
        default:
            guard isSingle else { throw notAllowedOnCollection(path) }
            throw notAllowed(.entities(path))
        }
    }

    /// Says that the method is for one entity, and how to address one.
    private func notAllowedOnCollection(_ path: EntityPath) -> ServiceError {
        var refusal = notAllowed(.entities(path))
        refusal.message =
            "\(context.method) is not allowed on a collection; give the key of one entity"
        return refusal
    }

    private func isMediaType(_ path: EntityPath) -> Bool {
        path.entityType(in: model).map(model.hasStream) ?? false
    }

    private var isJSONBody: Bool {
        context.headers["Content-Type"].flatMap { MediaType($0) }?.isType("application/json")
            ?? true
    }

    // MARK: Create

    /// Creates an entity and answers 201, or 204 where the client wants no representation (OData 4.01 Part 1 § 11.4.2).
    func create(_ body: EntityBody, at path: EntityPath, options: BoundOptions) throws
        -> HTTPResponse
    {
        let row = try writing.create(body, at: path)
        let options = InlineExpansion(model: model).options(
            options,
            for: body,
            at: path.finalSource
        )
        return try created(row, at: path, options: options)
    }

    func created(_ row: RowReference, at path: EntityPath, options: BoundOptions) throws
        -> HTTPResponse
    {
        try demandRelation(of: row, at: path)
        var response = try changed(
            row,
            at: path.collection,
            options: options,
            status: 201,
            isMinimal: context.prefer.returns == .minimal
        )
        let names = EntityNames(try reading().rows, version: context.version)
        if let url = try names.url(of: row) {
            let location = PercentEncoding.completed(context.service.root + url)
            response.headers["Location"] = location
            if response.status == 204 { response.headers["OData-EntityId"] = location }
        }
        return response
    }

    /// Refuses a body that relates the new entity to another one than the URL does (OData 4.01 Part 1 § 11.4.2.1).
    private func demandRelation(of row: RowReference, at path: EntityPath) throws {
        guard let end = path.trailingNavigation,
            try writing.query().rows(path.collection, among: row.row).isEmpty
        else { return }
        let name = model[end.navigation].name
        throw ServiceError(
            400,
            "the body relates the entity to another one than the URL does (\(name))"
        )
    }

    // MARK: Update

    private func update(_ path: EntityPath, options: BoundOptions) throws -> HTTPResponse {
        var body = try readBody(path)
        if let key = try upsertKey(path) {
            return try upsert(body, key: key, at: path, options: options)
        }
        if try isSettingNull(path) { return try create(body, at: path, options: options) }
        try demandAllowed(path)
        try demandPrecondition(path)
        if context.method != "PUT" {
            body = try PartialChange(write: self).completed(body, at: path)
        }
        let precondition = try precondition(path, of: body)
        // It is checked once.
        body.control[.etag] = nil
        let row = try writing.update(
            body,
            at: path,
            isReplacing: context.method == "PUT",
            precondition: precondition
        )
        return try changed(
            row,
            at: path,
            options: InlineExpansion(model: model).options(
                options,
                for: body,
                at: path.finalSource
            ),
            status: 200,
            isMinimal: isUpdateMinimal
        )
    }

    /// Whether an update is answered with 204: unless the client prefers the entity, or says what of it it wants
    /// (OData 4.01 Part 1 § 11.4.1.5).
    var isUpdateMinimal: Bool {
        guard !leavesOptionsOut else { return true }
        return switch context.prefer.returns {
        case .representation: false
        case .minimal: true
        case nil:
            !context.version.isV4
                || context.url.value("select") == nil && context.url.value("expand") == nil
        }
    }

    /// The answer to a change: the entity, or 204.
    func changed(
        _ row: RowReference,
        at path: EntityPath,
        options: BoundOptions,
        status: Int,
        isMinimal: Bool
    ) throws -> HTTPResponse {
        var response: HTTPResponse
        if isMinimal {
            response = try unshown(row)
        } else {
            response = try representation(of: row, at: path, options: options, status: status)
        }
        let isLeftOut = leavesOptionsOut || !isMinimal && response.status == 204
        if let wanted = context.prefer.returns, !isLeftOut || wanted == .minimal {
            response.headers["Preference-Applied"] = "return=\(wanted.rawValue)"
        }
        return response
    }

    /// The entity as it is now; one that was changed is left out where the options ask for what is not offered, one that is new is whole.
    private func representation(
        of row: RowReference,
        at path: EntityPath,
        options: BoundOptions,
        status: Int
    ) throws -> HTTPResponse {
        let reading = try reading()
        let format = try reading.format(options)
        func answer(_ options: BoundOptions) throws -> HTTPResponse {
            try reading.representation(
                of: row,
                at: path,
                options: options,
                format: format,
                status: status
            )
        }
        do {
            return try answer(options)
        } catch let error as QueryError {
            guard error.code == .notSupported || error.code == .limitExceeded else { throw error }
            if status == 201 { return try answer(BoundOptions()) }
            return try unshown(row)
        }
    }

    /// The answer to a change that shows nothing of the entity but its ETag.
    private func unshown(_ row: RowReference) throws -> HTTPResponse {
        var response = HTTPResponse(status: 204, headers: context.answerHeaders)
        response.headers["ETag"] = try reading().etag(of: row)
        return response
    }

    /// The key of an entity that is not there and may be created under it (OData 4.01 Part 1 § 11.4.4); nil for an update, and for a
    /// media entity, which is made of its stream only.
    private func upsertKey(_ path: EntityPath) throws -> [Scalar]? {
        let isAsked = context.headers["If-None-Match"] == "*"
        // An entity of another type than the path says is there.
        var uncast = path
        uncast.steps.removeAll(where: \.isCast)
        // Versions 1 to 3 know no upsert.
        guard model.version.isV4, context.options.allowsUpsert || isAsked, !isMediaType(path),
            let key = path.trailingKey,
            let source = path.finalSource, isUpsertable(source),
            let table = schema.layout[source], !isKeyComputed(table),
            try writing.query().rows(uncast).isEmpty
        else { return nil }
        try demandNoMatch()
        return key
    }

    /// Whether a change gives a value to a singleton that is null: an upsert without a key.
    private func isSettingNull(_ path: EntityPath) throws -> Bool {
        guard context.options.allowsUpsert, try writing.query().isNullSingleton(path) else {
            return false
        }
        try demandNoMatch()
        return true
    }

    /// If-Match says that the client means an existing entity.
    private func demandNoMatch() throws {
        guard context.headers["If-Match"] == nil else {
            throw ServiceError(412, "there is no such entity")
        }
    }

    private func isUpsertable(_ source: NavigationSource) -> Bool {
        guard case .entitySet(let index) = source else { return true }
        return model.container.entitySets[index].isUpsertable
    }

    private func isKeyComputed(_ table: TableLayout) -> Bool {
        model.properties(of: table.entityType).contains { property in
            property.annotations.isTagged(CoreTerm.computed)
                && table.keyColumns.contains { table.columns[$0].path == [property.name] }
        }
    }

    private func upsert(
        _ body: EntityBody,
        key: [Scalar],
        at path: EntityPath,
        options: BoundOptions
    ) throws -> HTTPResponse {
        var body = body
        if let source = path.finalSource, let table = schema.layout[source] {
            for (slot, value) in zip(table.keyColumns, key) { body.set(value, slot: slot) }
            for slot in table.columns.indices where table.holdsKey(slot) && !body.mentions(slot) {
                body.set(.integer(1), slot: slot)
            }
        }
        if let upserting = writing as? any UpsertWriting {
            let row = try upserting.upsert(
                body,
                at: path,
                isReplacing: context.method == "PUT",
                isInsertOnly: context.headers["If-None-Match"] == "*"
            )
            return try created(row, at: path.collection, options: options)
        }
        return try create(body, at: path.collection, options: options)
    }

    // MARK: Preconditions

    /// What `If-Match` and `If-None-Match` say (OData 4.01 Part 1 §§ 8.2.4, 8.2.5).
    func precondition(_ path: EntityPath) throws -> Precondition {
        if let field = context.headers["If-Match"] {
            guard let list = EntityTagList(field) else {
                throw ServiceError(400, "If-Match is no list of entity tags")
            }
            return list == .any ? .exists : .match(list)
        }
        guard let field = context.headers["If-None-Match"] else { return .none }
        guard let list = EntityTagList(field) else {
            throw ServiceError(400, "If-None-Match is no list of entity tags")
        }
        return list == .any ? .isAbsent : .noneMatch(list)
    }

    /// The same for an update, whose body may name an ETag, too (OData 4.01 Part 1 § 11.4.3): where a header does as well, both hold.
    private func precondition(_ path: EntityPath, of body: EntityBody) throws -> Precondition {
        let stated = try precondition(path)
        guard let etag = body.control[.etag] else { return stated }
        guard let list = EntityTagList(etag) else {
            throw ServiceError(400, "the ETag in the body is none")
        }
        guard list != .any else { return stated == .none ? .exists : stated }
        switch stated {
        case .none, .exists: return .match(list)
        case .match(let header):
            return .match(header.weaklyContains(text: etag) ? list : .tags([]))
        case .isAbsent, .noneMatch: return stated
        }
    }

    /// 405 where no precondition would make the method allowed: the metadata excludes it, or a singleton is always there.
    private func demandAllowed(_ path: EntityPath) throws {
        guard context.options.obeysRestrictions,
            !AllowedMethods(model: model).areEntitiesChanged(by: context.method, at: path)
        else { return }
        throw notAllowed(.entities(path))
    }

    /// 428 where the set wants `If-Match` and there is none.
    func demandPrecondition(_ path: EntityPath) throws {
        guard context.options.demandsPreconditions, let source = path.finalSource,
            model.wantsPrecondition(source), context.headers["If-Match"] == nil,
            context.headers["If-None-Match"] == nil, try !writing.query().rows(path).isEmpty
        else { return }
        throw ServiceError(428, "changes of \(model.name(of: source)) need If-Match")
    }

    // MARK: Bodies

    /// Reads the entity in the body; references become relative to the service root.
    func readBody(_ path: EntityPath) throws -> EntityBody {
        try demandJSON()
        let type = ChangedType(write: self)
        guard let plan = try type.plan(for: path, giving: type.givenNames) else {
            throw ServiceError(400, "the path leads to no entity set that the metadata names")
        }
        return try resolved(entity(in: context.body, plan))
    }

    /// Reads an entity; a member that cannot be kept is refused (OData 4.01 Part 1 § 11.4.2).
    func entity(in json: [UInt8], _ plan: EntityPlan) throws -> EntityBody {
        var sink = EntityBodyCollector()
        var reader = PayloadReader(plan: plan, plans: plans.bodies)
        let info = try reader.read(json.span, into: &sink)
        if model.hasStream(plan.type), info.diagnostics.contains(where: { $0.name == "$value" }) {
            throw ServiceError(
                501,
                "the stream of a media entity is not taken from $value in the body: send it to its URL, which ends with /$value"
            )
        }
        if let refusal = info.refusal(of: plan.type, in: model) {
            throw ServiceError(400, refusal)
        }
        guard sink.entities.count == 1, var body = sink.entities.first else {
            throw ServiceError(400, "the body holds no entity")
        }
        DynamicRules.unquoteNumbers(in: &body)
        ForeignAnnotations(schema: schema).remove(from: &body)
        return body
    }

    func demandJSON() throws {
        guard isJSONBody else { throw ServiceError(415, "the body must be application/json") }
    }

    private func resolved(_ body: EntityBody) throws -> EntityBody {
        var body = body
        if !takesETagsInBodies { body.control[.etag] = nil }
        for index in body.bindings.indices {
            body.bindings[index].reference = try context.reference(body.bindings[index].reference)
        }
        for index in body.inline.indices { try resolve(&body.inline[index]) }
        return body
    }

    /// Whether ETags in a body are preconditions, which they are since 4.01 (OData 4.01 Part 1 § 11.4.1.1).
    ///
    /// A request without version is of the highest that a service knows (§ 8.1.5). A store that demands no preconditions takes the echo
    /// of what it has answered, whatever has changed since.
    private var takesETagsInBodies: Bool {
        let newest = ODataVersion.v401.rawValue
        let assumed = context.options.demandsPreconditions ? newest : ODataVersion.v4.rawValue
        let stated = context.headers["OData-Version"] ?? context.headers["OData-MaxVersion"]
        return model.version.isV4 && (stated ?? assumed) == newest
    }

    private func resolve(_ inline: inout EntityBody.Inline) throws {
        inline.references = try inline.references.map(context.reference)
        for index in inline.removals.indices where !inline.removals[index].id.hasPrefix("(") {
            inline.removals[index].id = try context.reference(inline.removals[index].id)
        }
        inline.entities = try inline.entities.map { entity in
            var entity = try resolved(entity)
            // Of an entity that has its key, the id says nothing more, and may be no address.
            if let id = entity.control[.id] {
                entity.control[.id] = (try? context.reference(id)) ?? id
            }
            return entity
        }
    }
}
