import ODataText
import ODataBinding
import ODataModel
import ODataHTTP
import ODataTables

/// Carries out changes of relationships (OData 4.01 Part 1 § 11.4.6).
struct LinkAnswer {
    let write: WriteAnswer

    func answer(_ path: EntityPath) throws -> HTTPResponse {
        // `Nav(key)/$ref` names the entity to unlink by its key.
        if write.context.method == "DELETE", path.trailingKey != nil {
            return try deleteByKey(path)
        }
        guard let end = path.trailingNavigation else {
            throw write.notAllowed(.entities(path))
        }
        try demandChangeable(path)
        // An addition takes nothing away from others, as a creation does not.
        if ["PUT", "DELETE"].contains(write.context.method) {
            try write.demandPrecondition(end.owner)
        }
        try checkPrecondition(end.owner)
        let isCollection = write.model[end.navigation].isCollection
        if !isCollection { try demandAbsence(of: path, from: end.owner) }
        switch write.context.method {
        case "POST" where isCollection, "PUT" where !isCollection:
            try write.writing.addLink(at: link(path), to: target())
        case "PUT": try replaceAll(at: link(path))
        case "DELETE" where isCollection && write.context.url.value("id") == nil:
            guard write.context.version >= .v401 else {
                throw ServiceError(400, "$id names the entity to unlink")
            }
            try remove(present(link(path)), at: link(path))
        case "DELETE" where !isCollection && write.context.url.value("id") != nil:
            throw ServiceError(
                400,
                "\(write.model[end.navigation].name) has one link at most: leave $id out"
            )
        case "DELETE":
            try write.writing.removeLink(at: link(path), from: removed())
        default: throw write.notAllowed(.entities(path))
        }
        return HTTPResponse(status: 204, headers: write.context.answerHeaders)
    }

    /// An ETag is that of the entity whose links they are (OData 4.01 Part 1 § 8.2.4).
    private func checkPrecondition(_ owner: EntityPath) throws {
        let isWanted: Bool
        let tags: EntityTagList
        switch try write.precondition(owner) {
        case .match(let list): (isWanted, tags) = (true, list)
        case .noneMatch(let list): (isWanted, tags) = (false, list)
        case .none, .exists, .isAbsent: return
        }
        guard let row = try write.writing.query().rows(owner).first,
            try tags.weaklyContains(text: write.reading().etag(of: row)) != isWanted
        else { return }
        throw ServiceError(
            412,
            isWanted
                ? "the entity that has the links has changed"
                : "the entity that has the links has the ETag that it must not have"
        )
    }

    /// 412 where `If-None-Match: *` wants that there is no link (RFC 9110 § 13.1.2).
    private func demandAbsence(of path: EntityPath, from owner: EntityPath) throws {
        guard try write.precondition(owner) == .isAbsent,
            try !write.writing.query().rows(link(path)).isEmpty
        else { return }
        throw ServiceError(412, "the link exists already")
    }

    private func demandChangeable(_ path: EntityPath) throws {
        guard write.context.options.obeysRestrictions, !write.model.areLinksChangeable(at: path)
        else { return }
        throw AllowedMethods(model: write.model).refusal(
            "the links cannot be changed: the metadata says so",
            of: .entities(path)
        )
    }

    /// The links of a collection become those of the body (OData 4.01 Part 1 § 11.4.6.2).
    private func replaceAll(at path: EntityPath) throws {
        try write.demandJSON()
        guard let tree = JSONTree(write.context.body),
            let items = tree.member("value")?.items
        else {
            throw ServiceError(
                400,
                "the body is no collection of references: {\"value\":[{\"@id\":…}]}"
            )
        }
        let wanted = try items.map { item in
            guard let id = tree.string("@odata.id", of: item) ?? tree.string("@id", of: item)
            else { throw ServiceError(400, "an item of the collection is no entity reference") }
            return try write.context.reference(id)
        }
        let present = try present(path)
        try remove(present.filter { !wanted.contains($0) }, at: path)
        for reference in wanted where !present.contains(reference) {
            try write.writing.addLink(at: path, to: reference)
        }
    }

    /// The entity-ids of a collection, relative to the service root.
    private func present(_ path: EntityPath) throws -> [String] {
        let names = EntityNames(try write.reading().rows)
        return try write.writing.query().rows(path, limit: .max).compactMap {
            try names.url(of: $0)
        }
    }

    private func remove(_ references: [String], at path: EntityPath) throws {
        for reference in references {
            try write.writing.removeLink(at: path, from: reference)
        }
    }

    private func link(_ path: EntityPath) -> EntityPath {
        var path = path
        path.target = .entities
        return path
    }

    private func deleteByKey(_ path: EntityPath) throws -> HTTPResponse {
        guard let end = path.collection.trailingNavigation else {
            throw write.notAllowed(.entities(path))
        }
        try demandChangeable(path)
        try write.demandPrecondition(end.owner)
        try checkPrecondition(end.owner)
        guard let row = try write.writing.query().rows(link(path)).first,
            let url = try EntityNames(write.reading().rows).url(of: row)
        else { throw ServiceError(404, "there is no such link") }
        try write.writing.removeLink(at: path.collection, from: url)
        return HTTPResponse(status: 204, headers: write.context.answerHeaders)
    }

    /// The entity-id in the body: `{"@odata.id": "…"}`, without the prefix since 4.01.
    private func target() throws -> String {
        try write.demandJSON()
        guard let tree = JSONTree(write.context.body),
            let id = tree.string("@odata.id") ?? tree.string("@id") ?? tree.string("uri")
        else { throw ServiceError(400, "the body is no entity reference") }
        return try write.context.reference(id)
    }

    /// The entity-id in `$id`, which names one of many.
    private func removed() throws -> String? {
        try write.context.url.value("id").map(write.context.reference)
    }
}
