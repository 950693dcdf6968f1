import OfflinePolicies
import ODataHTTP
import OfflineOData

/// One request to a plain REST service, and what its answer is in OData form.
struct RESTExchange: Sendable {
    let root: String
    let resources: RESTResources
    let base: any HTTPTransport
    let overwrites: Bool
    let address: RESTAddress
    let query: RESTQuery
    let options: HTTPRequestOptions

    /// Longest answer that is held in memory.
    private static let maximumByteCount = 256 << 20

    func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        switch request.method {
        case "GET", "HEAD": try await read(request)
        case "POST": try await create(request)
        case "PUT": try await put(request, value: object(request.body))
        case "PATCH", "MERGE": try await patch(request)
        case "DELETE":
            try await send("DELETE", target: address.path, headers: headers(of: request), body: [])
        default: HTTPResponse(status: 501)
        }
    }

    // MARK: Reading

    private func read(_ request: HTTPRequest) async throws -> HTTPResponse {
        let target = address.path + (address.key == nil ? query.text : "")
        let response = try await send(
            "GET",
            target: target,
            headers: headers(of: request),
            body: []
        )
        guard response.status == 200, !WebPage.isAnswer(response) else { return response }
        let body = ODataValue(json: String(decoding: response.body, as: UTF8.self))
        guard let body else { return unreadable }
        let etag = response.headers["ETag"]
        let listed = RESTListing(body, headers: response.headers)
        guard address.key == nil else {
            if let listed, RESTListing.isCollection(response.headers) {
                return answer(response, value: theOne(of: listed), status: 200)
            }
            return answer(response, value: entity(body, etag: etag), status: 200)
        }
        let isItem = RESTListing.isItem(response.headers)
        let items = isItem ? [entity(body, etag: etag)] : listed.map(entities)
        guard let items else { return unreadable }
        var members: [(name: String, value: ODataValue)] = [
            ("@odata.context", .string(root + "/$metadata#" + address.url)),
            ("value", .collection(items)),
        ]
        if let next = query.next(after: items.count, hasMore: body["hasMore"]?.booleanValue) {
            members.append(("@odata.nextLink", .string("\(root)/\(address.url)?\(next)")))
        }
        return answer(response, value: .object(members), status: 200)
    }

    /// The objects of a collection, with the keys and ETags that stand beside them.
    private func entities(_ listing: RESTListing) -> [ODataValue] {
        listing.items.map { entity($0.value, etag: $0.etag, key: $0.uri.flatMap(place)?.key) }
    }

    /// The object that was asked for, where the service says that it answers a collection.
    private func theOne(of listing: RESTListing) -> ODataValue? {
        let all = entities(listing)
        return all.first {
            let key = $0[address.level.key]
            return (key?.stringValue ?? key?.json) == address.key
        }
    }

    private func answer(_ response: HTTPResponse, value: ODataValue?, status: Int)
        -> HTTPResponse
    {
        guard let value else { return HTTPResponse(status: 404) }
        return answer(response, value: value, status: status)
    }

    private var unreadable: HTTPResponse {
        HTTPResponse(
            status: 502,
            headers: ["Content-Type": "text/plain"],
            body: Array("the service answered neither an array nor an object".utf8)
        )
    }

    /// An object with its key and its ETag.
    private func entity(_ value: ODataValue, etag: String?, key: String? = nil) -> ODataValue {
        guard case .object(var members) = value else { return value }
        let level = address.level
        let known =
            members.first { $0.name == level.key }
            ?? members.first { ["id", "ID", "Id"].contains($0.name) }
        let text = known.map { $0.value.stringValue ?? $0.value.json } ?? key ?? address.key
        members.removeAll { $0.name == level.key }
        if let text {
            let value: ODataValue = level.isNumber ? .number(text) : .string(text)
            members.insert((level.key, value), at: 0)
        }
        if let etag { members.insert(("@odata.etag", .string(etag)), at: 0) }
        return .object(members)
    }

    private func answer(_ response: HTTPResponse, value: ODataValue, status: Int) -> HTTPResponse {
        var headers = response.headers
        for name in ["Content-Length", "Content-Encoding", "Location"] { headers[name] = nil }
        headers["Content-Type"] = "application/json"
        headers["OData-Version"] = "4.0"
        return HTTPResponse(status: status, headers: headers, body: Array(value.json.utf8))
    }

    // MARK: Changes

    private func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        let sent = object(request.body)
        let response = try await send(
            "POST",
            target: address.path,
            headers: headers(of: request),
            body: Array(sent.json.utf8)
        )
        guard response.isSuccess, !WebPage.isAnswer(response) else { return response }
        let location = response.headers["Location"].flatMap(place)
        let returned = returned(response) ?? sent
        let value = entity(returned, etag: response.headers["ETag"], key: location?.key)
        var answer = answer(response, value: value, status: 201)
        let key = value[address.level.key].map { $0.stringValue ?? $0.json }
        let created =
            location ?? key.flatMap { RESTAddress(path: "\(address.path)/\($0)", in: resources) }
        answer.headers["Location"] = created.map { root + "/" + $0.url }
        return answer
    }

    private func put(_ request: HTTPRequest, value: ODataValue) async throws -> HTTPResponse {
        let response = try await send(
            "PUT",
            target: address.path,
            headers: headers(of: request),
            body: Array(value.json.utf8)
        )
        guard response.isSuccess, !WebPage.isAnswer(response) else { return response }
        guard let returned = returned(response) else {
            return HTTPResponse(status: 204, headers: ["ETag": response.headers["ETag"]].present)
        }
        return answer(
            response,
            value: entity(returned, etag: response.headers["ETag"]),
            status: 200
        )
    }

    /// The object that the service answers to a change; nil where it answers none, or an empty one.
    private func returned(_ response: HTTPResponse) -> ODataValue? {
        guard let body = ODataValue(json: String(decoding: response.body, as: UTF8.self)),
            case .object(let members) = body, !members.isEmpty
        else { return nil }
        guard RESTListing.isCollection(response.headers) else { return body }
        return RESTListing(body, headers: response.headers)?.items.first?.value
    }

    /// Answers to a read that the change itself would get, too.
    private static let final: Set<Int> = [401, 403, 404, 405, 410]

    /// The service takes whole objects only: what it has now is read, and sent back with the changes.
    private func patch(_ request: HTTPRequest) async throws -> HTTPResponse {
        let current = try await send("GET", target: address.path, headers: [:], body: [])
        guard current.status == 200,
            let whole = ODataValue(json: String(decoding: current.body, as: UTF8.self)),
            case .object = whole
        else {
            guard !WebPage.isAnswer(current) else { return current }
            guard current.status != 200 else { return unreadable }
            // What the service has is not known now: the change has not left.
            guard Self.final.contains(current.status) else {
                throw HTTPTransportError(
                    .notConnected,
                    "the service answered \(current.status) to the read before the change"
                )
            }
            return current
        }
        return try await put(request, value: Self.merged(object(request.body), into: whole))
    }

    /// A value with the changes of another: objects keep what is not mentioned, at any depth, as the store's copy does.
    private static func merged(_ change: ODataValue, into value: ODataValue) -> ODataValue {
        guard case .object(let changes) = change, case .object(var members) = value else {
            return change
        }
        for (name, new) in changes {
            if let place = members.firstIndex(where: { $0.name == name }) {
                members[place].value = merged(new, into: members[place].value)
            } else {
                members.append((name, new))
            }
        }
        return .object(members)
    }

    /// The object of a body, without control information.
    private func object(_ body: [UInt8]) -> ODataValue {
        guard
            case .object(let members)? = ODataValue(json: String(decoding: body, as: UTF8.self))
        else { return .object([]) }
        return .object(members.filter { !$0.name.contains("@") })
    }

    /// Where a `Location` leads to.
    private func place(_ location: String) -> RESTAddress? {
        let path = location.hasPrefix(root) ? location.dropFirst(root.count) : location[...]
        let known = RESTAddress(path: String(path.prefix { $0 != "?" }), in: resources)
        // A service may leave its own path before it, or name its object alone.
        let collection = address.path.dropLast(address.key.map { $0.count + 1 } ?? 0)
        return known
            ?? location.split(separator: "/").last.flatMap {
                RESTAddress(path: "\(collection)/\($0)", in: resources)
            }
    }

    // MARK: Sending

    private func headers(of request: HTTPRequest) -> HTTPHeaders {
        var headers = request.headers
        for name in ["OData-Version", "OData-MaxVersion", "Prefer", "OData-Isolation"] {
            headers[name] = nil
        }
        headers["Accept"] = "application/json"
        if overwrites, ["PUT", "PATCH", "MERGE", "DELETE"].contains(request.method) {
            headers["If-Match"] = "*"
        }
        return headers
    }

    private func send(
        _ method: String,
        target: String,
        headers: HTTPHeaders,
        body: [UInt8]
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(method: method, url: root + target, headers: headers, body: body)
        let response = try await base.send(request, options: options)
        return HTTPResponse(
            status: response.status,
            headers: response.headers,
            body: try await response.body.collect(upTo: Self.maximumByteCount)
        )
    }
}

extension [String: String?] {
    /// The fields that have a value.
    fileprivate var present: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in self { headers[name] = value }
        return headers
    }
}
