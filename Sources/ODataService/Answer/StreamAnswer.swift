import ODataModel
import ODataProtocol
import ODataTables

/// Answers media streams (OData 4.01 Part 1 § 11.2.5).
struct StreamAnswer {
    let read: ReadAnswer

    func content(_ path: EntityPath, property: String = "") throws -> HTTPResponse {
        var owner = path
        owner.target = .entities
        let streams = StreamTable(read.query.connection)
        guard let row = try read.query.rows(owner).first else {
            throw ServiceError(404, "there is no such entity")
        }
        guard let type = path.entityType(in: read.model), hasStream(type) || !property.isEmpty
        else {
            throw ServiceError(404, "the entity is no media entity")
        }
        guard try streams.exists, let head = try streams.head(of: row.row, property: property)
        else {
            return HTTPResponse(status: 204, headers: read.context.answerHeaders)
        }
        if let response = read.notModified(head.etag) { return response }
        var headers = read.context.answerHeaders
        headers["Content-Type"] = head.contentType
        headers["ETag"] = head.etag
        return HTTPResponse(
            status: 200,
            headers: headers,
            body: try streams.content(of: row.row, property: property)
        )
    }

    private func hasStream(_ type: StructuredTypeID) -> Bool {
        read.model.lineage(of: type).contains { read.model[$0].hasStream }
    }
}
