import ODataValues

extension BatchRequest {
    /// Reads a JSON batch request as a service gets it (OData 4.01 JSON § 19.1).
    ///
    /// - Throws: ``BatchError`` where the body is not as it must be.
    public init(json body: [UInt8], limits: BatchLimits = BatchLimits()) throws(BatchError) {
        let document = JSONBatchDocument(body, list: "requests", limits: limits)
        if let problem = document.problem { throw problem }
        var order = JSONBatchOrder()
        var groups: [[BatchPart]] = []
        for range in document.elements {
            let part = try Self.part(body, in: range, limits: limits)
            if try order.add(part, at: range.lowerBound) {
                groups[groups.count - 1].append(part)
            } else {
                groups.append([part])
            }
        }
        self.init(
            items: groups.map { group in
                group[0].atomicityGroup == nil ? .request(group[0]) : .changeSet(group)
            }
        )
    }

    private static func part(
        _ body: [UInt8],
        in range: Range<Int>,
        limits: BatchLimits
    ) throws(BatchError) -> BatchPart {
        var part = BatchPart(request: HTTPRequest(method: "", url: ""))
        var content: Range<Int>?
        for member in try JSONBatchDocument.members(of: body, range, limits: limits) {
            switch member.name {
            case "id": part.contentID = try JSONBatchDocument.string(of: body, member.value)
            case "method":
                part.request.method = try JSONBatchDocument.string(of: body, member.value)
                    .uppercased()
            case "url": part.request.url = try JSONBatchDocument.string(of: body, member.value)
            case "headers":
                part.request.headers = try JSONBatchBody.headers(
                    body,
                    in: member.value,
                    limits: limits
                )
            case "body": content = member.value
            case "dependsOn":
                part.dependsOn = try JSONBatchDocument.strings(of: body, member.value)
            case "atomicityGroup":
                part.atomicityGroup = try JSONBatchDocument.string(of: body, member.value)
            case "if": part.condition = try JSONBatchDocument.string(of: body, member.value)
            // Annotations and what later versions add.
            default: break
            }
        }
        if let content {
            part.request.body = try JSONBatchBody.read(
                body,
                in: content,
                headers: part.request.headers
            )
        }
        guard part.contentID != nil, !part.request.url.isEmpty, !part.request.method.isEmpty,
            part.request.method.utf8.allSatisfy(HTTPFieldScanner.isTokenByte)
        else {
            throw BatchError(
                .malformed,
                "a request lacks its id, method or URL",
                offset: range.lowerBound
            )
        }
        return part
    }

    // MARK: - Writing

    /// Returns the batch as a JSON body; requests and change sets without a name get one.
    ///
    /// - Throws: ``BatchError`` where a request holds what cannot be written.
    public func json() throws(BatchError) -> EncodedBatch {
        var names = JSONBatchNames(self)
        var order = JSONBatchOrder()
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("requests")
        writer.beginArray()
        for item in items {
            switch item {
            case .request(let part):
                try Self.write(part, group: nil, into: &names, order: &order, to: &writer)
            case .changeSet(let parts):
                let group = parts.first?.atomicityGroup ?? names.new("g")
                for part in parts {
                    try Self.write(part, group: group, into: &names, order: &order, to: &writer)
                }
            }
        }
        writer.endArray()
        writer.endObject()
        return EncodedBatch(contentType: "application/json", body: writer.takeBytes())
    }

    private static func write(
        _ part: BatchPart,
        group: String?,
        into names: inout JSONBatchNames,
        order: inout JSONBatchOrder,
        to writer: inout JSONWriter
    ) throws(BatchError) {
        var part = part
        part.contentID = part.contentID ?? names.new("r")
        part.atomicityGroup = group
        do throws(BatchError) {
            _ = try order.add(part, at: 0)
        } catch {
            throw BatchError(.cannotBeWritten, error.message)
        }
        writer.beginObject()
        writer.name("id")
        writer.string(part.contentID ?? "")
        if let group {
            writer.name("atomicityGroup")
            writer.string(group)
        }
        if !part.dependsOn.isEmpty {
            writer.name("dependsOn")
            writer.beginArray()
            for name in part.dependsOn { writer.string(name) }
            writer.endArray()
        }
        if let condition = part.condition {
            writer.name("if")
            writer.string(condition)
        }
        writer.name("method")
        writer.string(part.request.method.lowercased())
        writer.name("url")
        writer.string(part.request.url)
        try JSONBatchBody.write(part.request.headers, body: part.request.body, to: &writer)
        writer.endObject()
    }
}

/// Makes names that a batch does not have yet.
private struct JSONBatchNames {
    private var taken: Set<String>
    private var last = 0

    init(_ batch: BatchRequest) {
        taken = Set(batch.parts.flatMap { [$0.contentID, $0.atomicityGroup].compactMap(\.self) })
    }

    mutating func new(_ prefix: String) -> String {
        repeat { last += 1 } while taken.contains("\(prefix)\(last)")
        taken.insert("\(prefix)\(last)")
        return "\(prefix)\(last)"
    }
}
