import ODataModel
import ODataProtocol
import ODataTables

/// Creates media entities and changes their streams (OData 4.01 Part 1 § 11.4.7).
struct StreamChange {
    let write: WriteAnswer

    private func streams() throws -> any StreamWriting {
        guard let streams = write.writing as? any StreamWriting else {
            throw ServiceError(501, "streams are not offered by this service")
        }
        return streams
    }

    private var contentType: String {
        write.context.headers["Content-Type"] ?? "application/octet-stream"
    }

    func answer(_ path: EntityPath) throws -> HTTPResponse {
        var owner = path
        owner.target = .entities
        switch write.context.method {
        case "PUT":
            try streams().setStream(
                write.context.body,
                contentType: contentType,
                at: owner,
                property: "",
                precondition: write.precondition(owner)
            )
        case "DELETE":
            try streams().removeStream(
                at: owner,
                property: "",
                precondition: write.precondition(owner)
            )
        default: throw write.notAllowed("GET, PUT, DELETE")
        }
        var response = HTTPResponse(status: 204, headers: write.context.answerHeaders)
        let reading = try write.reading()
        if let row = try reading.query.rows(owner).first {
            response.headers["ETag"] = try StreamTable(reading.query.connection).head(of: row.row)?
                .etag
        }
        return response
    }

    /// Creates an entity from its stream; its properties come by a later change.
    func create(_ path: EntityPath, _ options: BoundOptions) throws -> HTTPResponse {
        let streams = try streams()
        guard let source = path.finalSource,
            let plan = write.schema.plans.plan(for: source, type: path.entityType(in: write.model))
        else { throw ServiceError(400, "the path leads to no entity set that the metadata names") }
        let row = try write.writing.create(EntityBody(plan: plan), at: path)
        let url = try EntityNames(write.reading().rows).url(of: row) ?? ""
        let bound = try BoundRequest(parsing: url, in: write.model)
        guard case .entities(let entity) = bound.resource else {
            throw ServiceError(500, "the created entity cannot be addressed")
        }
        try streams.setStream(
            write.context.body,
            contentType: contentType,
            at: entity,
            property: "",
            precondition: .none
        )
        return try write.created(row, at: path, options)
    }
}
