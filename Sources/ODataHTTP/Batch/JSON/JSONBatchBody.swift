import ODataValues
import ODataPayload

/// How a body stands in a JSON batch: JSON as it is, text as a string, all else as base64url (OData 4.01 JSON § 19.1.6).
enum JSONBatchBody {
    private enum Kind {
        case json
        case text
        case binary
    }

    /// A body without a type is taken for JSON.
    private static func kind(_ headers: HTTPHeaders) -> Kind {
        guard let type = headers["Content-Type"].flatMap({ MediaType($0) }) else { return .json }
        if type.isType("application/json") || type.subtype.hasSuffix("+json") { return .json }
        return type.type == "text" ? .text : .binary
    }

    // MARK: - Reading

    /// Returns the bytes that a value stands for.
    ///
    /// Some write JSON where their type says something else; it is kept as it is.
    static func read(
        _ bytes: [UInt8],
        in range: Range<Int>,
        headers: HTTPHeaders
    ) throws(BatchError) -> [UInt8] {
        let value = bytes[range]
        if value.elementsEqual("null".utf8) { return [] }
        guard kind(headers) != .json, value.first == UInt8(ascii: "\"") else { return Array(value) }
        let text = Array(try JSONBatchDocument.string(of: bytes, range).utf8)
        guard kind(headers) == .binary else { return text }
        var decoded: [UInt8] = []
        guard BinaryText.decode(text.span, into: &decoded) else {
            throw BatchError(.malformed, "a body is no base64url", offset: range.lowerBound)
        }
        return decoded
    }

    /// Returns header fields; values that are no strings, which some write, are kept as they stand.
    static func headers(
        _ bytes: [UInt8],
        in range: Range<Int>,
        limits: BatchLimits
    ) throws(BatchError) -> HTTPHeaders {
        guard !bytes[range].elementsEqual("null".utf8) else { return [:] }
        guard range.count <= limits.headBytes else {
            throw BatchError(
                .tooLarge,
                "the headers are larger than \(limits.headBytes) bytes",
                offset: range.lowerBound
            )
        }
        var headers = HTTPHeaders()
        for member in try JSONBatchDocument.members(of: bytes, range, limits: limits) {
            if bytes[member.value].first == UInt8(ascii: "\"") {
                headers.add(member.name, try JSONBatchDocument.string(of: bytes, member.value))
            } else {
                headers.add(member.name, String(decoding: bytes[member.value], as: UTF8.self))
            }
        }
        return headers
    }

    // MARK: - Writing

    /// Writes the members `headers` and `body`, where there is something to say.
    static func write(
        _ headers: HTTPHeaders,
        body: [UInt8],
        to writer: inout JSONWriter
    ) throws(BatchError) {
        try writeHeaders(headers, to: &writer)
        guard !body.isEmpty else { return }
        writer.name("body")
        switch kind(headers) {
        case .json:
            guard isJSON(body) else {
                throw BatchError(.cannotBeWritten, "a body that should be JSON is none")
            }
            writer.raw(body.span)
        case .text:
            guard String(validating: body, as: UTF8.self) != nil else {
                throw BatchError(.cannotBeWritten, "a body that should be text is no UTF-8")
            }
            writer.string(body.span)
        case .binary:
            var text: [UInt8] = []
            BinaryText.encode(body.span, alphabet: .url, into: &text)
            writer.string(text.span)
        }
    }

    /// Names in small letters, as they are compared; fields of one name are joined (RFC 9110 § 5.3).
    private static func writeHeaders(
        _ headers: HTTPHeaders,
        to writer: inout JSONWriter
    ) throws(BatchError) {
        var names: [String] = []
        for field in headers.fields where !names.contains(field.name.lowercased()) {
            guard HTTPFieldRules.isName(field.name) else {
                throw BatchError(.cannotBeWritten, "a header field has no proper name")
            }
            names.append(field.name.lowercased())
        }
        // The boundary between parts is JSON's own, so a length says nothing.
        names.removeAll { $0 == "content-length" }
        guard !names.isEmpty else { return }
        writer.name("headers")
        writer.beginObject()
        for name in names {
            writer.name(name)
            writer.string(headers.values(of: name).joined(separator: ","))
        }
        writer.endObject()
    }

    /// One value and nothing else; what is deeper than readers go is not written either.
    private static func isJSON(_ body: [UInt8]) -> Bool {
        ByteCursor.with(body.span) { cursor in
            do throws(PayloadFault) {
                cursor.allowsDuplicateNames = true
                cursor.skipSpace()
                try cursor.skipValue(depth: 3, limit: BatchLimits().jsonDepth)
                cursor.skipSpace()
                return cursor.isAtEnd
            } catch {
                return false
            }
        }
    }
}
