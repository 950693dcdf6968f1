import ODataProtocol
public import OfflineOData

/// What an upload would send, as HTTP messages, as files and as JSON.
public struct UploadPreviewReport: Sendable {
    private let preview: OfflineODataUploadPreview
    /// Names of the files of the requests, where they were written.
    private var files: [String] = []

    /// Reports a preview.
    public init(preview: OfflineODataUploadPreview) { self.preview = preview }

    // MARK: Files

    /// Writes each request into a file of its own, `001.http`; those of an earlier, longer preview go.
    public mutating func write(to directory: String) async throws {
        try FileBytes.makeDirectory(directory)
        for (index, request) in preview.requests.enumerated() {
            let name = Self.fileName(index + 1)
            try await Self.write(request, to: directory + "/" + name)
            files.append(name)
        }
        // A preview numbers its files without a gap: files behind a gap are not its own.
        var number = preview.requests.count + 1
        while FileBytes.exists(directory + "/" + Self.fileName(number)) {
            try FileBytes.remove(directory + "/" + Self.fileName(number))
            number += 1
        }
    }

    private static func fileName(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".http"
    }

    private static func write(
        _ request: OfflineODataUploadPreview.Request,
        to path: String
    ) async throws {
        let descriptor = try FileBytes.descriptor(writing: path)
        defer { FileBytes.close(descriptor) }
        let head = head(request).joined(separator: "\r\n") + "\r\n\r\n"
        try FileBytes.write(Array(head.utf8) + request.message.body, to: descriptor, named: path)
        guard let body = request.message.streamedBody?.pieces() else { return }
        for try await piece in body { try FileBytes.write(piece, to: descriptor, named: path) }
    }

    private static func head(_ request: OfflineODataUploadPreview.Request) -> [String] {
        ["\(request.message.method) \(request.message.url) HTTP/1.1"]
            + request.message.headers.fields.map { "\($0.name): \($0.value)" }
    }

    // MARK: Text

    /// The messages, or where they were written, and what is left.
    public var lines: [String] {
        var lines = [Words.amount(preview.requests.count, of: "message") + " would be sent"]
        for (index, request) in preview.requests.enumerated() {
            lines += ["", title(of: request, number: index + 1)]
            if files.isEmpty { lines += Self.message(request) }
        }
        return lines + remarks
    }

    private func title(of request: OfflineODataUploadPreview.Request, number: Int) -> String {
        let ids = request.requestIDs.map(String.init).joined(separator: ", ")
        let file = files.isEmpty ? "" : "  \(files[number - 1])"
        return
            "\(number) of \(preview.requests.count): \(request.requestIDs.count == 1 ? "request" : "requests")"
            + " \(ids), \(Words.bytes(Self.byteCount(request)))\(file)"
            + (request.readsETagsFirst ? "; ETags are read from the service first" : "")
    }

    private static func byteCount(_ request: OfflineODataUploadPreview.Request) -> Int {
        request.message.streamedBody?.byteCount ?? request.message.body.count
    }

    private static func message(_ request: OfflineODataUploadPreview.Request) -> [String] {
        guard byteCount(request) > 0 else { return head(request) }
        return head(request) + [
            "", text(of: request) ?? "(\(Words.bytes(byteCount(request))) of content)",
        ]
    }

    /// The body as text; nil for the content of a stream and what is no text.
    private static func text(of request: OfflineODataUploadPreview.Request) -> String? {
        guard request.message.streamedBody == nil else { return nil }
        return String(validating: request.message.body, as: UTF8.self)
    }

    private var remarks: [String] {
        var lines: [String] = []
        if !preview.waiting.isEmpty {
            lines += ["", "waiting for answers, or not chosen:"]
            lines += preview.waiting.map { request in
                let ids = request.waitsFor.map(String.init).joined(separator: ", ")
                return "  request \(request.id)" + (ids.isEmpty ? "" : " waits for \(ids)")
            }
        }
        if !preview.unsettledIDs.isEmpty {
            let ids = preview.unsettledIDs.map(String.init).joined(separator: ", ")
            lines += ["", "looked up on the service first, since an answer was lost: \(ids)"]
        }
        for request in preview.refused {
            lines.append("refused here: request \(request.requestID): \(request.message)")
        }
        return lines
    }

    // MARK: JSON

    /// The report as a JSON object; the members are a promise to scripts.
    public func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("requests")
        writer.beginArray()
        for index in preview.requests.indices { write(index, to: &writer) }
        writer.endArray()
        writer.objects("waiting", items: preview.waiting) { writer, request in
            writer.member("id", value: Int(request.id))
            writer.member("waitsFor", values: request.waitsFor.map(Int.init))
        }
        writer.member("unsettled", values: preview.unsettledIDs.map(Int.init))
        writer.objects("refused", items: preview.refused) { writer, request in
            writer.member("id", value: Int(request.requestID))
            writer.member("message", value: request.message)
        }
        writer.endObject()
        return writer.bytes
    }

    private func write(_ index: Int, to writer: inout JSONWriter) {
        let request = preview.requests[index]
        writer.beginObject()
        writer.member("method", value: request.message.method)
        writer.member("url", value: request.message.url)
        writer.objects("headers", items: request.message.headers.fields) { writer, field in
            writer.member("name", value: field.name)
            writer.member("value", value: field.value)
        }
        writer.optional("body", value: Self.text(of: request))
        writer.member("bytes", value: Self.byteCount(request))
        writer.member("requestIDs", values: request.requestIDs.map(Int.init))
        writer.member("batch", value: request.isBatch)
        writer.member("readsETagsFirst", value: request.readsETagsFirst)
        if !files.isEmpty { writer.member("file", value: files[index]) }
        writer.endObject()
    }
}
