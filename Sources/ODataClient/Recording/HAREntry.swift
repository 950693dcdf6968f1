import ODataText
import ODataValues
import OfflineValues
import ODataHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An entry of a recording: a request and its answer (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#entries).
struct HAREntry: Sendable {
    private let time = Date()
    private let request: HTTPRequest
    /// Values of query options that were left out of the URL: services repeat them in their answers.
    private let secrets: [String]
    private var status = 0
    private var headers: HTTPHeaders = [:]
    private var content: [UInt8] = []
    private var contentSize = 0
    private var wait = Duration.zero
    var duration = Duration.zero
    /// Why no whole answer came.
    var failure: String?

    init(_ request: HTTPRequest) {
        var request = request
        let url = request.url
        request.url = OfflineODataCredentialFields.removed(from: url)
        let kept = Set(Self.pairs(of: request.url))
        let secrets = Self.pairs(of: url).filter { !kept.contains($0) }
            .map { String($0.drop { $0 != "=" }.dropFirst()) }
        self.secrets = secrets
        request.body = Self.plain(
            request.body,
            type: request.headers["Content-Type"],
            secrets: secrets
        )
        request.headers = Self.plain(request.headers, secrets: secrets)
        self.request = request
    }

    mutating func noteHead(_ response: HTTPStreamingResponse, after time: Duration) {
        status = response.status
        headers = Self.plain(response.headers, secrets: secrets)
        wait = time
        duration = time
    }

    mutating func append(_ piece: [UInt8]) {
        contentSize += piece.count
        if contentSize <= OfflineODataRecorder.maximumBodySize { content += piece }
    }

    private var isCut: Bool { contentSize > OfflineODataRecorder.maximumBodySize }

    func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(
            "startedDateTime",
            value: time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        )
        writer.member("time", milliseconds: duration)
        writeRequest(to: &writer)
        writeResponse(to: &writer)
        writer.name("cache")
        writer.beginObject()
        writer.endObject()
        writer.name("timings")
        writer.beginObject()
        writer.member("send", milliseconds: .zero)
        writer.member("wait", milliseconds: wait)
        writer.member("receive", milliseconds: duration - wait)
        writer.endObject()
        if let failure { writer.member("comment", value: failure) }
        writer.endObject()
        return writer.bytes
    }

    private func writeRequest(to writer: inout JSONWriter) {
        writer.name("request")
        writer.beginObject()
        writer.member("method", value: request.method)
        writer.member("url", value: request.url)
        writer.member("httpVersion", value: "HTTP/1.1")
        writer.emptyArray("cookies")
        writer.fields("headers", fields: request.headers.fields.map { ($0.name, $0.value) })
        writer.fields("queryString", fields: Self.options(of: request.url))
        if !request.body.isEmpty || request.streamedBody != nil { writePostData(to: &writer) }
        writer.member("headersSize", number: -1)
        let size = request.streamedBody?.byteCount ?? request.body.count
        writer.member("bodySize", number: size)
        writer.endObject()
    }

    private func writePostData(to writer: inout JSONWriter) {
        writer.name("postData")
        writer.beginObject()
        writer.member("mimeType", value: request.headers["Content-Type"] ?? "")
        writer.emptyArray("params")
        if request.streamedBody != nil {
            writer.member("text", value: "")
            writer.member("comment", value: "a stream, which is not recorded")
        } else if request.body.count > OfflineODataRecorder.maximumBodySize {
            writer.member("text", value: "")
            writer.member("comment", value: "too long to be recorded")
        } else if let text = String(validating: request.body, as: UTF8.self) {
            writer.member("text", value: text)
        } else {
            writer.member("text", value: Data(request.body).base64EncodedString())
            writer.member("comment", value: "base64")
        }
        writer.endObject()
    }

    private func writeResponse(to writer: inout JSONWriter) {
        writer.name("response")
        writer.beginObject()
        writer.member("status", number: status)
        writer.member("statusText", value: "")
        writer.member("httpVersion", value: "HTTP/1.1")
        writer.emptyArray("cookies")
        writer.fields("headers", fields: headers.fields.map { ($0.name, $0.value) })
        writer.name("content")
        writer.beginObject()
        writer.member("size", number: contentSize)
        writer.member("mimeType", value: headers["Content-Type"] ?? "")
        let recorded =
            isCut ? [] : Self.plain(content, type: headers["Content-Type"], secrets: secrets)
        if isCut {
            writer.member("comment", value: "too long to be recorded")
        } else if let text = String(validating: recorded, as: UTF8.self) {
            writer.member("text", value: text)
        } else {
            writer.member("text", value: Data(recorded).base64EncodedString())
            writer.member("encoding", value: "base64")
        }
        writer.endObject()
        let isRedirect = (300..<400).contains(status)
        writer.member("redirectURL", value: isRedirect ? headers["Location"] ?? "" : "")
        writer.member("headersSize", number: -1)
        writer.member("bodySize", number: -1)
        writer.endObject()
    }

    /// A body without credentials; bytes that are no text stay as they are.
    private static func plain(_ body: [UInt8], type: String?, secrets: [String]) -> [UInt8] {
        guard String(validating: body, as: UTF8.self) != nil else { return body }
        return CredentialText.removed(
            from: BatchCredentials.removed(from: body, type: type),
            secrets: secrets
        )
    }

    private static func plain(_ headers: HTTPHeaders, secrets: [String]) -> HTTPHeaders {
        HTTPHeaders(
            OfflineODataCredentialFields.removed(from: headers).fields.map {
                let value = CredentialText.removed(from: $0.value, secrets: secrets)
                return HTTPHeaders.Field(name: $0.name, value: value)
            }
        )
    }

    private static func pairs(of url: String) -> [String] {
        URLParts(url).options
    }

    private static func options(of url: String) -> [(String, String)] {
        pairs(of: url).map { option in
            let name = option.prefix { $0 != "=" }
            return (
                PercentEncoding.decoded(name),
                PercentEncoding.decoded(option.dropFirst(name.count + 1))
            )
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, number: Int) {
        self.name(name)
        integer(Int64(number))
    }

    /// Times are milliseconds.
    fileprivate mutating func member(_ name: String, milliseconds time: Duration) {
        member(name, thousandths: max(0, Int64(time / .microseconds(1))))
    }

    fileprivate mutating func emptyArray(_ name: String) {
        self.name(name)
        beginArray()
        endArray()
    }

    fileprivate mutating func fields(_ name: String, fields: [(String, String)]) {
        self.name(name)
        beginArray()
        for (name, value) in fields {
            beginObject()
            member("name", value: name)
            member("value", value: value)
            endObject()
        }
        endArray()
    }
}
