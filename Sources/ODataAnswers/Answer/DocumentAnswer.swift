import ODataValues
import ODataModel
import ODataModelConversion
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

    /// The document in the form that is asked for, with an ETag over its bytes.
    func metadata() throws -> HTTPResponse {
        let isXML = schema.document.first { $0 > 0x20 } != UInt8(ascii: "{")
        let wantsXML = wantsXML() ?? isXML
        let document = wantsXML == isXML ? schema.document : try converted(isXML: isXML)
        let etag = "W/\"" + String(TokenSeal.sum(document, request: ""), radix: 16) + "\""
        var headers = context.answerHeaders
        headers["ETag"] = etag
        headers["Vary"] = "Accept"
        if let field = context.headers["If-None-Match"], let list = EntityTagList(field),
            list.weaklyContains(EntityTag(etag))
        {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers["Content-Type"] = wantsXML ? "application/xml" : "application/json"
        return HTTPResponse(status: 200, headers: headers, body: document)
    }

    /// Whether XML or JSON is asked for; nil where either will do (OData 4.01 Part 1 § 11.1.2).
    ///
    /// Many clients send one `Accept` with all requests. So it asks for JSON only in version 4.01, the first that knows CSDL JSON, and
    /// where it allows nothing else.
    private func wantsXML() -> Bool? {
        if let format = context.url.value("format")?.lowercased() {
            return format.contains("json") ? false : format.contains("xml") ? true : nil
        }
        guard context.format.version == .v401, let accept = context.headers["Accept"] else {
            return nil
        }
        let ranges = AcceptHeader(accept).elements.filter { $0.quality > 0 }.map(\.range)
        let isJSON = ranges.allSatisfy { $0.type == "application" && $0.subtype == "json" }
        return isJSON && !ranges.isEmpty ? false : nil
    }

    /// The document in its other form, made once.
    private func converted(isXML: Bool) throws -> [UInt8] {
        guard isXML, schema.model.version.isV4 else {
            throw ServiceError(
                406,
                isXML
                    ? "CSDL JSON is a form of version 4: the metadata document of version \(schema.model.version.rawValue) is available as XML only"
                    : "the metadata document is available as JSON only"
            )
        }
        return try schema.jsonDocument.guarded { kept in
            if let kept { return kept }
            let document = try CSDLJSONConverter.json(ofXML: schema.document)
            kept = document
            return document
        }
    }
}
