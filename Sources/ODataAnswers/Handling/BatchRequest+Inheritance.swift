import ODataText
import ODataHTTP

extension BatchRequest {
    /// Headers of a batch that count for each of its requests which does not state them (OData 4.01 Part 1 §§ 8.1.5, 8.2.1, 8.2.2,
    /// 8.2.7).
    private static let inherited = ["OData-Version", "OData-MaxVersion", "Accept-Charset"]

    /// Gives the requests the headers of the batch that they do not state.
    mutating func inherit(_ headers: HTTPHeaders) {
        let headers = headers.withListsInOneLine
        var fields = Self.inherited.compactMap { name in headers[name].map { (name, $0) } }
        if let accept = headers["Accept"].flatMap(Self.acceptOfRequests) {
            fields.append(("Accept", accept))
        }
        guard !fields.isEmpty else { return }
        items = items.map { item in
            switch item {
            case .request(let part): .request(Self.completed(part, fields))
            case .changeSet(let parts): .changeSet(parts.map { Self.completed($0, fields) })
            }
        }
    }

    private static func completed(_ part: BatchPart, _ fields: [(name: String, value: String)])
        -> BatchPart
    {
        var part = part
        let isRaw = URLParts(part.request.url).path.hasSuffix("/$value")
        for (name, value) in fields where part.request.headers[name] == nil {
            // What a batch says of its JSON says nothing of raw values, which are no JSON.
            if isRaw, name == "Accept" { continue }
            part.request.headers[name] = value
        }
        return part
    }

    /// The formats that a batch accepts for its requests, nil where there are none: `multipart/mixed` is that of the batch itself.
    private static func acceptOfRequests(_ field: String) -> String? {
        let elements = AcceptHeader(field).elements.filter { $0.range.type != "multipart" }
        guard !elements.isEmpty else { return nil }
        return elements.map(written).joined(separator: ",")
    }

    private static func written(_ element: AcceptHeader.Element) -> String {
        guard element.quality < 1000 else { return "\(element.range)" }
        let digits = String(element.quality)
        return "\(element.range);q=0." + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
