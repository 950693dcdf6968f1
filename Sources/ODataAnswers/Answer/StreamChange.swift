import ODataBinding
import ODataSQL
import ODataModel
import ODataHTTP
import ODataTables

/// Creates media entities and changes their streams and stream properties (OData 4.01 Part 1 §§ 11.4.7, 11.4.8).
struct StreamChange {
    let write: WriteAnswer

    private func streams() throws -> any StreamWriting {
        guard let streams = write.writing as? any StreamWriting else {
            throw ServiceError(501, "streams are not offered by this service")
        }
        return streams
    }

    /// The content that a client sends; where it names no media type, that of the metadata counts (`Core.MediaType`).
    private func content(of property: String = "", at path: EntityPath) -> StreamContent {
        let known = path.entityType(in: write.model)
            .flatMap { write.model.property(property, of: $0)?.mediaType }
        return .bytes(
            write.context.body,
            contentType: write.context.headers["Content-Type"] ?? known
                ?? "application/octet-stream"
        )
    }

    func answer(_ path: EntityPath, property: String = "") throws -> HTTPResponse {
        var owner = path
        owner.target = .entities
        if property.isEmpty {
            let query = try write.writing.query()
            try query.demandMedia(owner, query.rows(owner).first)
        }
        switch write.context.method {
        case "PUT":
            // A part would take the place of the whole (RFC 9110 § 14.5).
            guard write.context.headers["Content-Range"] == nil else {
                throw ServiceError(400, "a stream is replaced as a whole: leave Content-Range out")
            }
            try demandPrecondition(owner, property: property)
            try streams().setStream(
                content(of: property, at: owner),
                at: owner,
                property: property,
                precondition: write.precondition(owner)
            )
        case "DELETE":
            try demandPrecondition(owner, property: property)
            try streams().removeStream(
                at: owner,
                property: property,
                precondition: write.precondition(owner)
            )
        default: throw write.notAllowed(.entities(path))
        }
        var response = HTTPResponse(status: 204, headers: write.context.answerHeaders)
        let reading = try write.reading()
        if let row = try reading.query.rows(owner).first {
            response.headers["ETag"] = try StreamTable(reading.query.connection)
                .head(of: row.row, property: property)?.etag
        }
        return response
    }

    /// 428 where the set wants `If-Match` and there is a stream that a change would replace.
    private func demandPrecondition(_ owner: EntityPath, property: String) throws {
        let query = try write.writing.query()
        guard let row = try query.rows(owner).first,
            try StreamTable(query.connection).head(of: row.row, property: property) != nil
        else { return }
        try write.demandPrecondition(owner)
    }

    /// Creates an entity from its stream; its properties come by a later change.
    func create(_ path: EntityPath, options: BoundOptions) throws -> HTTPResponse {
        let row = try streams().createMedia(content(at: path), at: path)
        return try write.created(row, at: path, options: options)
    }
}
