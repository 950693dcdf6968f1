import ODataValues
import ODataModel
import ODataHTTP
import ODataTables

/// Answers the service document and the metadata document (OData 4.01 Part 1 §§ 11.1.1, 11.1.2).
struct DocumentAnswer {
    let schema: TableSchema
    let context: ServiceContext

    func serviceDocument() throws -> HTTPResponse {
        var format = context.format
        try FormatNegotiation.apply(
            context.url.value("format"),
            headers: context.headers,
            to: &format
        )
        if format.isVerbose { return verboseServiceDocument(format) }
        var writer = JSONWriter()
        writer.beginObject()
        if format.metadata != .none {
            writer.name("@odata.context")
            writer.string(context.service.root + "$metadata")
        }
        writer.name("value")
        writer.beginArray()
        let container = schema.model.container
        for set in container.entitySets where set.isInServiceDocument {
            entry(set.name, kind: nil, to: &writer)
        }
        for singleton in container.singletons {
            entry(singleton.name, kind: "Singleton", to: &writer)
        }
        writer.endArray()
        writer.endObject()
        var headers = context.answerHeaders
        headers["Content-Type"] = FormatNegotiation.contentType(format)
        return HTTPResponse(status: 200, headers: headers, body: writer.bytes)
    }

    /// The document of versions 1 to 3: names of sets alone (OData JSON Verbose § 5).
    private func verboseServiceDocument(_ format: AnswerFormat) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("d")
        writer.beginObject()
        writer.name("EntitySets")
        writer.beginArray()
        for set in schema.model.container.entitySets { writer.string(set.name) }
        writer.endArray()
        writer.endObject()
        writer.endObject()
        var headers = context.answerHeaders
        headers["Content-Type"] = FormatNegotiation.contentType(format)
        return HTTPResponse(status: 200, headers: headers, body: writer.bytes)
    }

    private func entry(_ name: String, kind: String?, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("name")
        writer.string(name)
        writer.name("kind")
        writer.string(kind ?? "EntitySet")
        writer.name("url")
        writer.string(name)
        writer.endObject()
    }

    /// The document as it was read, with an ETag over its bytes.
    func metadata() throws -> HTTPResponse {
        let isXML = schema.document.first { $0 > 0x20 } != UInt8(ascii: "{")
        if let format = context.url.value("format")?.lowercased(),
            format.contains("json") == isXML, format.contains("json") || format.contains("xml")
        {
            throw ServiceError(
                406,
                "the metadata document is available as \(isXML ? "XML" : "JSON") only"
            )
        }
        let etag = "W/\"" + String(TokenSeal.sum(schema.document, request: ""), radix: 16) + "\""
        var headers = context.answerHeaders
        headers["ETag"] = etag
        if let field = context.headers["If-None-Match"], let list = EntityTagList(field),
            list.weaklyContains(EntityTag(etag))
        {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers["Content-Type"] = isXML ? "application/xml" : "application/json"
        return HTTPResponse(status: 200, headers: headers, body: schema.document)
    }
}
