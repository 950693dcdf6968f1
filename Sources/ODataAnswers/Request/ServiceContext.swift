package import ODataText
import ODataBinding
package import ODataModel
import ODataURL
package import ODataHTTP
import ODataTables

/// A request with all that its headers ask for, worked out once.
package struct ServiceContext: Sendable {
    var method: String
    /// Relative to the service root.
    package var url: URLParts
    package var headers: HTTPHeaders
    var body: [UInt8]
    package var service: RequestURL
    package var version: ODataVersion
    var format: AnswerFormat
    package var prefer: PreferHeader
    package var options: ServiceOptions
    /// Entity-ids of entities created earlier in the same batch, by Content-ID.
    var contentIDs: [String: String] = [:]

    /// Works out what a request asks for.
    ///
    /// - Throws: `ServiceError` where version, media type or URL are none that this service answers.
    init(
        _ request: HTTPRequest,
        in service: RequestURL,
        model: EdmModel,
        options: ServiceOptions,
        contentIDs: [String: String] = [:]
    ) throws {
        guard request.body.count <= options.limits.bodyBytes else {
            throw ServiceError(413, "the body is larger than \(options.limits.bodyBytes) bytes")
        }
        method = Self.method(of: request)
        headers = request.headers.withListsInOneLine
        body = request.body
        self.service = service
        self.options = options
        self.contentIDs = contentIDs
        guard let url = service.relative(Self.replacingContentID(request.url, knowing: contentIDs))
        else {
            throw ServiceError(404, "the URL lies outside this service")
        }
        self.url = URLParts(url)
        version = try VersionNegotiation.version(for: request.headers, model: model)
        if let wanted = self.url.value("schemaversion"), !model.hasSchemaVersion(wanted) {
            throw ServiceError(404, "there is no version \(wanted) of the schema")
        }
        prefer = PreferHeader(request.headers)
        format = AnswerFormat(version: version, serviceRoot: service.root)
        format.marksTransient = version == .v4
        format.showsLocalETags = !options.showsOriginalETags
        format.hasExponentialDecimals = false
        format.hidesUnreadable = options.obeysRestrictions
        guard request.headers["OData-Isolation"] == nil, request.headers["Isolation"] == nil else {
            throw ServiceError(412, "snapshot isolation over several requests is not offered")
        }
    }

    /// Versions 1 to 3 send changes as POST where a proxy knows no other method.
    private static func method(of request: HTTPRequest) -> String {
        guard request.method == "POST", let method = request.headers["X-HTTP-Method"] else {
            return request.method
        }
        return method.uppercased()
    }

    /// Replaces `$id` at the start of a URL (OData 4.01 Part 1 § 11.7.7.4).
    private static func replacingContentID(_ url: String, knowing known: [String: String]) -> String
    {
        guard let reference = ContentIDReference(url), let target = known[reference.id] else {
            return url
        }
        return target + reference.rest
    }

    /// Whether the client asks for the states of relatives (`Prefer: include-annotations="sap.*"`).
    var wantsRelatives: Bool {
        guard let wanted = prefer.includedAnnotations else { return false }
        return wanted.split(separator: ",").contains { pattern in
            let pattern = pattern.drop { $0 == " " }
            return ["*", "sap.*"].contains(pattern) || pattern.hasPrefix("sap.has")
        }
    }

    /// Returns a reference of a payload relative to the service root.
    ///
    /// One that begins with dots is relative to the request's own URL (RFC 3986 § 5.2.4).
    func reference(_ text: String) throws -> String {
        let begins = text.hasPrefix("../") || text.hasPrefix("./")
        let text = begins ? URLReference.joined(text, to: service.root + url.path) : text
        guard let relative = service.relative(Self.replacingContentID(text, knowing: contentIDs))
        else {
            throw ServiceError(400, "a reference leads out of this service")
        }
        return relative
    }

    /// Binds the URL to the model; a reader may have met it before.
    func bind(in model: EdmModel, _ memory: (any RequestMemory)? = nil) throws
        -> KnownRequest
    {
        // `$id` names the entity to unlink and is no part of the resource (OData 4.01 Part 2 § 5.1.10).
        var text = url.url(without: method == "DELETE" ? ["id"] : [])
        if url.path == "$entity" || url.path.hasPrefix("$entity/"), let id = url.value("id") {
            // The binder knows nothing of hosts (OData 4.01 Part 2 § 4.14).
            var relative: [UInt8] = []
            PercentEncoding.append(try reference(id).utf8, keeping: "()',=/:", to: &relative)
            text = url.url(
                without: ["id"],
                adding: "$id=" + String(decoding: relative, as: UTF8.self)
            )
        }
        // The URL language is that of the metadata document; 4.01 includes 4.0.
        let version = model.version.isV4 ? .v401 : model.version
        var limits = options.limits.url
        limits.allowsUnreadable = !options.obeysRestrictions
        func known(_ text: String) throws(ODataURLError) -> KnownRequest {
            if let memory { return try memory.request(text, version: version, limits: limits) }
            return KnownRequest(
                try BoundRequest(parsing: text, in: model, version: version, limits: limits)
            )
        }
        do {
            return try known(text)
        } catch var error {
            if error.code == .syntax, let form = FormEncoding.spaces(in: text) {
                do throws(ODataURLError) {
                    return try known(form)
                } catch let inForm {
                    // What is wrong with the form is what its writer has to mend.
                    error = inForm
                    error.offset = FormEncoding.offset(of: inForm.offset, in: text)
                }
            }
            throw ServiceError(
                options.writtenURL?.placing(error) ?? error,
                isInPath: error.offset <= url.path.utf8.count
            )
        }
    }

    /// The headers that every answer has.
    var answerHeaders: HTTPHeaders { VersionNegotiation.headers(version) }

    /// The name of a preference as the client has written it, with `odata.` or without.
    func preferenceName(_ name: String) -> String { prefer[name]?.name ?? name }
}

/// Finds the version of an answer (OData 4.01 Part 1 §§ 8.1.5, 8.2.7).
enum VersionNegotiation {
    /// The newest version that the client takes; where it does not say, that of the metadata document.
    ///
    /// A service of versions 1 to 3 answers in its own form, and in that of version 4 where the client asks for it.
    package static func version(for headers: HTTPHeaders, model: EdmModel) throws -> ODataVersion {
        if let sent = headers["OData-Version"], !["4.0", "4.01"].contains(sent) {
            throw ServiceError(
                400,
                "the version of the request, OData-Version, is none of 4.0 and 4.01"
            )
        }
        guard let maximum = headers["OData-MaxVersion"] else { return model.version }
        guard let number = Double(maximum) else {
            throw ServiceError(400, "OData-MaxVersion must be a version such as 4.0 or 4.01")
        }
        guard number >= 4 else {
            throw ServiceError(
                406,
                "this service speaks OData 4.0 and 4.01, OData-MaxVersion is lower"
            )
        }
        // The newest that the service says it speaks.
        let speaksNewest = model.maySpeak(.v401) || !model.maySpeak(.v4)
        return number >= 4.01 && speaksNewest ? .v401 : .v4
    }

    /// The headers of an answer.
    package static func headers(_ version: ODataVersion) -> HTTPHeaders {
        version.isV4
            ? ["OData-Version": version.rawValue] : ["DataServiceVersion": version.rawValue]
    }
}
