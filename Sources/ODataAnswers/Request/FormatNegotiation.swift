import ODataModel
import ODataHTTP
import ODataTables

/// Finds the JSON that a client wants (OData JSON 4.01 § 3).
enum FormatNegotiation {
    /// Sets the format to what `$format` or `Accept` ask for.
    ///
    /// - Throws: `ServiceError` 406 where neither allows JSON.
    static func apply(_ option: String?, headers: HTTPHeaders, to format: inout AnswerFormat)
        throws
    {
        let isV4 = format.version.isV4
        if let option {
            guard let type = type(ofOption: option), isJSON(type),
                !isV4 || knowsParameters(of: type, headers)
            else {
                throw ServiceError(
                    406,
                    "this service answers JSON, $format asks for something else"
                )
            }
            return try apply(type, to: &format)
        }
        if let charsets = headers["Accept-Charset"], !takesUTF8(charsets) {
            throw ServiceError(406, "this service answers UTF-8, Accept-Charset asks for another")
        }
        guard let accept = headers["Accept"] else { return }
        let wanted = AcceptHeader(accept).elements.filter {
            $0.quality > 0 && isJSON($0.range)
                && (!isV4 || knowsParameters(of: $0.range, headers))
        }
        // Of equals the one that says most, then the first.
        guard
            let best = wanted.max(by: {
                ($0.quality, weight($0.range)) < ($1.quality, weight($1.range))
            })
        else {
            guard !AcceptHeader(accept).elements.isEmpty else { return }
            throw ServiceError(406, "this service answers JSON, Accept asks for something else")
        }
        try apply(best.range, to: &format)
    }

    private static func type(ofOption option: String) -> MediaType? {
        switch option.lowercased() {
        case "json": .json
        case "xml": MediaType(type: "application", subtype: "xml")
        case "atom": MediaType(type: "application", subtype: "atom+xml")
        default: MediaType(option)
        }
    }

    private static func isJSON(_ type: MediaType) -> Bool {
        ["application/json", "application/*", "*/*"].contains(
            "\(type.type)/\(type.subtype)".lowercased()
        )
    }

    /// Whether a format has no parameter that is unknown, or of an unknown value (OData 4.01 Part 1 § 8.2.1).
    private static func knowsParameters(of type: MediaType, _ headers: HTTPHeaders) -> Bool {
        type.parameters.allSatisfy { parameter in
            let value = parameter.value.lowercased()
            switch parameter.name {
            case "metadata", "odata.metadata": return AnswerFormat.Metadata(rawValue: value) != nil
            case "ieee754compatible", "exponentialdecimals", "streaming", "odata.streaming":
                return value == "true" || value == "false"
            // `Accept-Charset` counts in its place.
            case "charset": return headers["Accept-Charset"] != nil || takesUTF8(value)
            default: return false
            }
        }
    }

    /// Whether a list of charsets has that of JSON among them (RFC 9110 § 12.5.2).
    private static func takesUTF8(_ list: String) -> Bool {
        list.lowercased().split(separator: ",").contains { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let name = parts.first, ["utf-8", "utf8", "*"].contains(name) else {
                return false
            }
            return !parts.dropFirst().contains {
                $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0
            }
        }
    }

    private static func weight(_ type: MediaType) -> Int {
        type.type == "*" ? 0 : type.subtype == "*" ? 1 : 2
    }

    private static func apply(_ type: MediaType, to format: inout AnswerFormat) throws {
        if let level = type.odataParameter("metadata") {
            guard let metadata = AnswerFormat.Metadata(rawValue: level.lowercased()) else {
                throw ServiceError(406, "metadata is one of none, minimal and full")
            }
            format.metadata = metadata
        }
        format.isIEEE754Compatible = isTrue(type[parameter: "ieee754compatible"])
        format.hasExponentialDecimals = isTrue(type[parameter: "exponentialdecimals"])
        format.isStreaming = isTrue(type.odataParameter("streaming"))
    }

    private static func isTrue(_ value: String?) -> Bool { value?.lowercased() == "true" }

    /// The content type of an answer.
    static func contentType(_ format: AnswerFormat) -> String {
        if format.isVerbose {
            return format.version == .v3 ? "application/json;odata=verbose" : "application/json"
        }
        let prefix = format.version == .v401 ? "" : "odata."
        var type = "application/json;\(prefix)metadata=\(format.metadata.rawValue)"
        if format.isIEEE754Compatible { type += ";IEEE754Compatible=true" }
        if format.hasExponentialDecimals { type += ";ExponentialDecimals=true" }
        if format.isStreaming { type += ";\(prefix)streaming=true" }
        return type
    }
}
