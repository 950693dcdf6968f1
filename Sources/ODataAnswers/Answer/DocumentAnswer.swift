import ODataText
import ODataValues
import ODataModel
import ODataModelConversion
import ODataSQLite
import ODataHTTP
import ODataTables

/// Answers the service document and the metadata document (OData 4.01 Part 1 §§ 11.1.1, 11.1.2).
struct DocumentAnswer {
    let schema: TableSchema
    let connection: SQLiteConnection
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
        for set in schema.model.container.entitySets where set.isInServiceDocument {
            writer.string(set.name)
        }
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
        writer.string(PercentEncoding.completed(name))
        writer.endObject()
    }

    /// The document in the form that is asked for, with an ETag over its bytes.
    func metadata() throws -> HTTPResponse {
        var document = try schema.document(connection)
        let given = DocumentStart(document).format ?? .xml
        let wanted = try wantedForm() ?? given
        if wanted != given { document = try converted(document, from: given) }
        if context.version == .v4 { document = StatedVersion.lowered(document, wanted) }
        let etag = "W/\"" + String(TokenSeal.sum(document, request: ""), radix: 16) + "\""
        var headers = context.answerHeaders
        headers["ETag"] = etag
        headers["Vary"] = "Accept, OData-MaxVersion"
        if let field = context.headers["If-None-Match"], let list = EntityTagList(field),
            list.weaklyContains(EntityTag(etag))
        {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers["Content-Type"] = wanted == .xml ? "application/xml" : "application/json"
        return HTTPResponse(status: 200, headers: headers, body: document)
    }

    /// The form that is asked for; nil where either will do (OData 4.01 Part 1 § 11.1.2).
    ///
    /// Many clients of version 4.0, which knows no CSDL JSON, send one `Accept` with all requests: they get JSON only where they take
    /// no XML. Those of versions 1 to 3 get the document whatever they accept.
    ///
    /// - Throws: `ServiceError` 406 where neither XML nor JSON is accepted.
    private func wantedForm() throws -> DocumentStart.Format? {
        if let format = context.url.value("format")?.lowercased() {
            if format.contains("json") { return .json }
            if format.contains("xml") { return .xml }
            try refuseOtherForms("$format asks")
            return nil
        }
        guard let accept = context.headers["Accept"].map(AcceptHeader.init),
            !accept.elements.isEmpty
        else { return nil }
        let xml = Self.quality(of: "xml", in: accept)
        let json = Self.quality(of: "json", in: accept)
        if xml == 0, json == 0 { try refuseOtherForms("Accept asks") }
        if xml > json { return .xml }
        guard json > xml, context.version.isV4 else { return nil }
        return xml == 0 || context.version == .v401 ? .json : nil
    }

    private func refuseOtherForms(_ asker: String) throws {
        guard schema.model.version.isV4 else { return }
        throw ServiceError(
            406,
            "the metadata document is available as XML and JSON, \(asker) for something else"
        )
    }

    /// How much a form is wanted, whatever the parameters, which are those of payloads.
    private static func quality(of subtype: String, in accept: AcceptHeader) -> Int {
        let named = accept.elements.filter {
            $0.range.type == "application" && $0.range.subtype == subtype
        }
        let ranges = accept.elements.filter {
            ["application", "*"].contains($0.range.type) && $0.range.subtype == "*"
        }
        return (named.isEmpty ? ranges : named).map(\.quality).max() ?? 0
    }

    /// The document in its other form, made once.
    private func converted(_ document: [UInt8], from given: DocumentStart.Format) throws
        -> [UInt8]
    {
        guard schema.model.version.isV4 else { throw Self.unavailable(schema, as: given) }
        return try schema.convertedDocument.guarded { kept in
            if let kept { return kept }
            let converted = try Self.convert(document, from: given)
            kept = converted
            return converted
        }
    }

    /// CSDL JSON is a form of version 4.
    private static func unavailable(_ schema: TableSchema, as given: DocumentStart.Format)
        -> ServiceError
    {
        ServiceError(
            406,
            "the metadata document of version \(schema.model.version.rawValue) is available as"
                + " \(given == .xml ? "XML" : "JSON") only: CSDL JSON is a form of version 4"
        )
    }

    private static func convert(_ document: [UInt8], from given: DocumentStart.Format) throws
        -> [UInt8]
    {
        do {
            return given == .xml
                ? try CSDLJSONConverter.json(ofXML: document)
                : try CSDLXMLConverter.xml(ofJSON: document)
        } catch {
            throw ServiceError(
                406,
                "the metadata document is available in the form that was given only: \(error)"
            )
        }
    }
}
