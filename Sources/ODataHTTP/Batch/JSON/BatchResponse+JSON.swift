import ODataValues

extension BatchResponse {
    /// Reads a JSON batch response as a client gets it (OData 4.01 JSON § 19.2).
    ///
    /// Answers may come in any order; those of one atomicity group become one change set, at the place of the first.
    /// A body that breaks off gives the answers that came whole, and ``problem`` says so.
    public init(json body: [UInt8], limits: BatchLimits = BatchLimits()) {
        let document = JSONBatchDocument(body, list: "responses", limits: limits)
        self.init(problem: document.problem)
        var groups = AnswerGroups()
        do throws(BatchError) {
            defer { items = groups.items }
            for range in document.elements {
                groups.add(try Self.part(body, in: range, limits: limits))
            }
            let link = document.members.first {
                ["@nextLink", "@odata.nextLink"].contains($0.name)
            }
            if let link { nextLink = try JSONBatchDocument.string(of: body, link.value) }
        } catch {
            problem = error
        }
    }

    private static func part(
        _ body: [UInt8],
        in range: Range<Int>,
        limits: BatchLimits
    ) throws(BatchError) -> BatchResponsePart {
        var part = BatchResponsePart(response: HTTPResponse(status: 0))
        var content: Range<Int>?
        for member in try JSONBatchDocument.members(of: body, range, limits: limits) {
            switch member.name {
            case "id": part.contentID = try text(body, in: member.value)
            case "atomicityGroup": part.atomicityGroup = try text(body, in: member.value)
            case "status": part.response.status = Int(try text(body, in: member.value)) ?? 0
            case "headers":
                part.response.headers = try JSONBatchBody.headers(
                    body,
                    in: member.value,
                    limits: limits
                )
            case "body": content = member.value
            default: break
            }
        }
        guard (100...999).contains(part.response.status) else {
            throw BatchError(.malformed, "an answer has no status", offset: range.lowerBound)
        }
        if let content {
            part.response.body = try JSONBatchBody.read(
                body,
                in: content,
                headers: part.response.headers
            )
        }
        return part
    }

    /// Some write numbers where strings belong, and the other way round.
    private static func text(_ body: [UInt8], in range: Range<Int>) throws(BatchError) -> String {
        guard body[range].first == UInt8(ascii: "\"") else {
            return String(decoding: body[range], as: UTF8.self)
        }
        return try JSONBatchDocument.string(of: body, range)
    }

    // MARK: - Writing

    /// Returns the answer as a JSON body, as a service sends it; each answer must have the id of its request.
    ///
    /// - Throws: ``BatchError`` where an answer holds what cannot be written.
    public func json() throws(BatchError) -> EncodedBatch {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("responses")
        writer.beginArray()
        for part in parts { try Self.write(part, to: &writer) }
        writer.endArray()
        if let nextLink {
            writer.name("@nextLink")
            writer.string(nextLink)
        }
        writer.endObject()
        return EncodedBatch(contentType: "application/json", body: writer.takeBytes())
    }

    private static func write(
        _ part: BatchResponsePart,
        to writer: inout JSONWriter
    ) throws(BatchError) {
        guard let name = part.contentID, (100...999).contains(part.response.status) else {
            throw BatchError(.cannotBeWritten, "an answer has no id or no status")
        }
        writer.beginObject()
        writer.name("id")
        writer.string(name)
        if let group = part.atomicityGroup {
            writer.name("atomicityGroup")
            writer.string(group)
        }
        writer.name("status")
        writer.integer(Int64(part.response.status))
        try JSONBatchBody.write(part.response.headers, body: part.response.body, to: &writer)
        writer.endObject()
    }
}

/// Brings the answers of each atomicity group together.
private struct AnswerGroups {
    private var groups: [[BatchResponsePart]] = []
    private var places: [String: Int] = [:]

    mutating func add(_ part: BatchResponsePart) {
        if let group = part.atomicityGroup {
            if let place = places[group] { return groups[place].append(part) }
            places[group] = groups.count
        }
        groups.append([part])
    }

    var items: [BatchResponse.Item] {
        groups.map { $0[0].atomicityGroup == nil ? .response($0[0]) : .changeSet($0) }
    }
}
