package import ODataBinding
import ODataSQL
package import ODataModel
import ODataHTTP
import ODataTables

/// Answers media streams and stream properties (OData 4.01 Part 1 §§ 11.2.4.1, 11.2.5).
struct StreamAnswer {
    let read: ReadAnswer

    func content(_ path: EntityPath, property: String = "") throws -> HTTPResponse {
        var owner = path
        owner.target = .entities
        let streams = StreamTable(read.query.connection)
        let row = try read.query.rows(owner).first
        if property.isEmpty { try read.query.demandMedia(path, row) }
        guard let row else { throw ServiceError(404, "there is no such entity") }
        guard let head = try streams.head(of: row.row, property: property) else {
            if try read.isUnknownStream?(read.query, row, property) == true {
                throw ServiceError(
                    404,
                    "the stream was not loaded into the store: a defining query that retrieves streams brings it"
                )
            }
            return HTTPResponse(status: 204, headers: read.context.answerHeaders)
        }
        try read.demandAccepted(head.contentType)
        if let response = read.notModified(head.etag) { return response }
        var headers = read.context.answerHeaders
        headers["Content-Type"] = head.contentType
        headers["ETag"] = head.etag
        headers["Accept-Ranges"] = "bytes"
        return try answer(head, streams: streams, headers: headers)
    }

    /// The whole content, or the part that the client asks for (RFC 9110 §§ 13.1.5, 14).
    private func answer(
        _ head: StreamTable.Head,
        streams: StreamTable,
        headers: HTTPHeaders
    ) throws -> HTTPResponse {
        var headers = headers
        let whole = 0..<head.byteCount
        guard let field = read.context.headers["Range"], isMet(head.etag) else {
            let body = try streams.bytes(whole, of: head.content)
            return HTTPResponse(status: 200, headers: headers, body: body)
        }
        do {
            let range = try ByteRange(field, byteCount: head.byteCount).bounds
            headers["Content-Range"] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(head.byteCount)"
            let body = try streams.bytes(range, of: head.content)
            return HTTPResponse(status: 206, headers: headers, body: body)
        } catch ByteRange.Refusal.unsatisfiable {
            headers["Content-Range"] = "bytes */\(head.byteCount)"
            headers["Content-Type"] = nil
            return HTTPResponse(status: 416, headers: headers)
        } catch ByteRange.Refusal.ignored {
            let body = try streams.bytes(whole, of: head.content)
            return HTTPResponse(status: 200, headers: headers, body: body)
        }
    }

    /// `If-Range` holds where it names the present ETag, strongly.
    private func isMet(_ etag: String?) -> Bool {
        guard let field = read.context.headers["If-Range"] else { return true }
        guard let etag = etag.flatMap({ EntityTag($0) }), let asked = EntityTag(field) else {
            return false
        }
        return etag.stronglyMatches(asked)
    }
}

extension EdmModel {
    /// Whether entities of a type are media entities.
    package func hasStream(_ type: StructuredTypeID) -> Bool {
        lineage(of: type).contains { self[$0].hasStream }
    }

    /// Whether entities of a type have streams: their own as media entities, or those of properties.
    package func hasStreams(_ type: StructuredTypeID) -> Bool {
        hasStream(type) || properties(of: type).contains { $0.type.type == .primitive(.stream) }
    }

    /// A stream is what its property's URL answers, and has no raw value besides (OData 4.01 Part 1 § 11.2.4.2).
    ///
    /// - Throws: `ServiceError` with 400 where the URL of a stream property ends with `/$value`.
    func refuseRawStream(_ names: [String], isRaw: Bool) throws {
        guard isRaw else { return }
        let name = names.joined(separator: "/")
        throw ServiceError(400, "\(name) is a stream: its URL has no /$value behind it")
    }

    /// The name of the stream property that a path of names leads to, `Photo` or `Address/Map`; nil where it is no stream.
    package func streamProperty(_ names: [String], of path: EntityPath) -> String? {
        guard var type = path.entityType(in: self) else { return nil }
        for (index, name) in names.enumerated() {
            if name.contains(".") {
                guard let derived = structuredType(named: name) else { return nil }
                type = derived
                continue
            }
            guard let property = property(name, of: type), !property.type.isCollection else {
                return nil
            }
            switch property.type.type {
            case .primitive(.stream) where index == names.count - 1:
                return names.filter { !$0.contains(".") }.joined(separator: "/")
            case .structured(let inner): type = inner
            default: return nil
            }
        }
        return nil
    }
}

extension TableQuery {
    /// Refuses the address of a media stream where the entity has none: the URL itself is wrong (OData 4.01 Part 1 § 11.2.3).
    ///
    /// The entity's own type decides where it is known: a derived type may have the stream.
    func demandMedia(_ path: EntityPath, _ row: @autoclosure () throws -> RowReference?) throws {
        let model = layout.model
        if let declared = path.entityType(in: model), model.hasStream(declared) { return }
        guard let row = try row(), let table = layout[row.source],
            let type = try RowEditor(connection, layout: layout).type(of: row.row, in: table),
            model.hasStream(type)
        else { throw ServiceError(400, "the entity is no media entity") }
    }
}
