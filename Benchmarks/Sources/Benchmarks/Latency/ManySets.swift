import ODataProtocol

/// A service of many entity sets in this process: pages that lead to the next one, and then deltas without a change.
struct ManySets: HTTPTransport {
    let sets: Int
    let rows: Int
    let pageSize: Int

    static let root = "http://sets.test/"
    private static let etag = "\"1\""

    /// Requests of the longest chain: one page after the other.
    var pages: Int { (rows + pageSize - 1) / pageSize }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let target = String(request.url.dropFirst(Self.root.count))
        if target == "$metadata" {
            let isKnown = request.headers["If-None-Match"] == Self.etag
            return HTTPStreamingResponse(
                status: isKnown ? 304 : 200,
                headers: ["Content-Type": "application/xml", "ETag": Self.etag],
                body: HTTPBody(isKnown ? [] : Array(metadata.utf8))
            )
        }
        return HTTPStreamingResponse(
            status: 200,
            headers: ["Content-Type": "application/json"],
            body: HTTPBody(Array(answer(target).utf8))
        )
    }

    private func answer(_ target: String) -> String {
        let set = target.prefix { $0 != "?" }
        let deltaLink = "\"@odata.deltaLink\":\"\(set)?$deltatoken=1\""
        if target.contains("$deltatoken") {
            return "{\"@odata.context\":\"$metadata#\(set)/$delta\",\"value\":[],\(deltaLink)}"
        }
        let first = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
        let end = min(rows, first + pageSize)
        let entities = (first..<end).map {
            "{\"ID\":\($0),\"Name\":\"Entity \($0) of \(set)\",\"Amount\":\($0 * 3)}"
        }
        let link = end < rows ? "\"@odata.nextLink\":\"\(set)?$skiptoken=\(end)\"" : deltaLink
        return
            "{\"@odata.context\":\"$metadata#\(set)\",\"value\":[\(entities.joined(separator: ","))],\(link)}"
    }

    private var metadata: String {
        let names = (0..<sets).map { "<EntitySet Name=\"S\($0)\" EntityType=\"N.Row\"/>" }
        return """
            <?xml version="1.0"?>
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Row"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
                <Property Name="Amount" Type="Edm.Int64"/></EntityType>
              <EntityContainer Name="C">\(names.joined())</EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
    }
}
