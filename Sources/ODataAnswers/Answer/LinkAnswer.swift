import ODataModel
import ODataURL
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
            throw write.notAllowed("GET")
        }
        let isCollection = write.model[end.navigation].isCollection
        switch write.context.method {
        case "POST" where isCollection, "PUT" where !isCollection:
            try write.writing.addLink(at: link(path), to: target())
        case "DELETE":
            try write.writing.removeLink(at: link(path), from: removed(isCollection))
        default: throw write.notAllowed(isCollection ? "GET, POST, DELETE" : "GET, PUT, DELETE")
        }
        return HTTPResponse(status: 204, headers: write.context.answerHeaders)
    }

    private func link(_ path: EntityPath) -> EntityPath {
        var path = path
        path.target = .entities
        return path
    }

    private func deleteByKey(_ path: EntityPath) throws -> HTTPResponse {
        guard path.collection.trailingNavigation != nil else { throw write.notAllowed("GET") }
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

    /// The entity-id in `$id`, needed to unlink one of many.
    private func removed(_ isCollection: Bool) throws -> String? {
        guard let id = write.context.url.value("id") else {
            if isCollection { throw ServiceError(400, "$id names the entity to unlink") }
            return nil
        }
        return try write.context.reference(id)
    }
}
