import OfflineOData
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service of orders with ETags that takes batches of one PATCH or call each, and holds them back until some are there at the same time.
final class OverlapService: HTTPTransport {
    private struct Order {
        var title = "old"
        var version = 1
        var appliedCount = 0
        var isGone = false
    }

    private struct State {
        var orders: [Int: Order]
        var begun: [String] = []
        var count = 0
        var largestCount = 0
        var conflictCount = 0
        var troubles: [Int: OverlapTests.Trouble] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isWaiting: Bool
        var whenFull: (@Sendable () -> Void)?
    }

    private let width: Int
    /// Whether only the first batches are waited for.
    private let once: Bool
    private let state: Mutex<State>
    private let directory: TemporaryDirectory?

    /// - Parameters:
    ///   - width: Batches that must be there before any of them is answered; the very first is answered at once.
    ///   - once: Whether that holds until it has happened.
    init(orders: Int, waitsFor width: Int = 1, once: Bool = false) {
        (self.width, self.once) = (width, once)
        let orders = Dictionary(uniqueKeysWithValues: (1...orders).map { ($0, Order()) })
        state = Mutex(State(orders: orders, isWaiting: width > 1))
        directory = try? TemporaryDirectory()
    }

    // MARK: What a test sees

    var begun: [String] { state.guarded { $0.begun } }
    var largestCount: Int { state.guarded { $0.largestCount } }
    var conflictCount: Int { state.guarded { $0.conflictCount } }
    var titles: [String] { ordered { $0.title } }
    /// How often each order was changed.
    var appliedCounts: [Int] { ordered { $0.appliedCount } }

    private func ordered<R>(_ value: (Order) -> R) -> [R] {
        state.guarded { $0.orders }.sorted { $0.key < $1.key }.map { value($0.value) }
    }

    func failOnce(key: Int, _ trouble: OverlapTests.Trouble) {
        state.guarded { state in
            state.troubles[key] = trouble
            // Somebody else has changed or deleted it since the download.
            if trouble == .conflict {
                state.orders[key]?.version = 7
                state.orders[key]?.title = "theirs"
            }
            if trouble == .gone { state.orders[key]?.isGone = true }
        }
    }

    func cancelsWhenFull(_ work: @escaping @Sendable () -> Void) {
        state.guarded { $0.whenFull = work }
    }

    func provider(_ change: (OfflineODataParameters) -> Void) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = (directory?.path).map { URL(filePath: $0) }
        parameters.transport = self
        parameters.retryPolicy = .never
        change(parameters)
        return try OfflineODataProvider(serviceRoot: Self.root, parameters: parameters)
    }

    private static let metadata = ShopModel.v4().replacing(
        #"<EntityContainer Name="C">"#,
        with:
            #"<Action Name="Close"/><EntityContainer Name="C"><ActionImport Name="Close" Action="Shop.Close"/>"#
    )

    private static let root = "http://overlap.test/"

    // MARK: Answers

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let path = String(request.url.dropFirst(Self.root.count))
        let body = String(decoding: request.body, as: UTF8.self)
        let response =
            switch (request.method, path) {
            case (_, "$batch"): try await batch(body)
            case ("PATCH", _): change(path, "If-Match: \(request.headers["If-Match"] ?? "")" + body)
            default: read(path)
            }
        return HTTPStreamingResponse(
            status: response.status,
            headers: response.headers,
            body: HTTPBody(response.body)
        )
    }

    /// A change that does not stand in a batch.
    private func change(_ path: String, _ message: String) -> HTTPResponse {
        state.guarded { $0.begun.append("PATCH \(path)") }
        guard let key = Self.key(in: path) else { return HTTPResponse(status: 404) }
        let answer = String(decoding: apply(key, message).body, as: UTF8.self)
        return HTTPResponse(status: answer.contains(" 204 ") ? 204 : 412)
    }

    private func read(_ path: String) -> HTTPResponse {
        if path == "$metadata" {
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: Array(Self.metadata.utf8)
            )
        }
        guard path.hasPrefix("Orders") else { return RecordedService.json(#"{"value":[]}"#) }
        return state.guarded { state in
            if let key = Self.key(in: path) {
                guard let order = state.orders[key], !order.isGone else {
                    return HTTPResponse(status: 404)
                }
                return RecordedService.json(Self.json(key, order))
            }
            let items = state.orders.sorted { $0.key < $1.key }
                .map { Self.json($0.key, Order()) }
            return RecordedService.json("{\"value\":[\(items.joined(separator: ","))]}")
        }
    }

    private static func json(_ key: Int, _ order: Order) -> String {
        "{\"@odata.etag\":\"\\\"\(order.version)\\\"\",\"ID\":\(key),\"Title\":\"\(order.title)\"}"
    }

    private static func key(in text: some StringProtocol) -> Int? {
        guard let start = text.firstRange(of: "Orders(") else { return nil }
        return Int(text[start.upperBound...].prefix { $0.isNumber })
    }

    private func batch(_ body: String) async throws -> HTTPResponse {
        guard let key = Self.key(in: body) else {
            state.guarded { $0.begun.append("POST Close beside \($0.count)") }
            return Self.answer("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let (number, trouble) = state.guarded { state in
            state.begun.append("PATCH Orders(\(key))")
            state.count += 1
            state.largestCount = max(state.largestCount, state.count)
            return (state.begun.count, state.troubles.removeValue(forKey: key))
        }
        if number > 1 { await waitForOthers() }
        defer { state.guarded { $0.count -= 1 } }
        switch trouble {
        case .tooLarge: return HTTPResponse(status: 413)
        case .busy: return HTTPResponse(status: 429)
        case .unavailable: return HTTPResponse(status: 503)
        case .logon: return HTTPResponse(status: 401)
        case .lostBefore: throw HTTPTransportError(.connectionLost, "the connection broke")
        case .lostAfter:
            _ = apply(key, body)
            throw HTTPTransportError(.connectionLost, "the connection broke")
        case .unreadable:
            _ = apply(key, body)
            return HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"])
        case .refused:
            return Self.answer(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n\r\n"
                    + #"{"error":{"code":"No","message":"no"}}"#
            )
        case .gone, .conflict, nil: return apply(key, body)
        }
    }

    private func waitForOthers() async {
        await withCheckedContinuation { (own: CheckedContinuation<Void, Never>) in
            let ready = state.guarded { state -> [CheckedContinuation<Void, Never>] in
                guard state.isWaiting else { return [own] }
                state.waiting.append(own)
                guard state.waiting.count == width else { return [] }
                if once { state.isWaiting = false }
                state.whenFull?()
                defer { state.waiting = [] }
                return state.waiting
            }
            for one in ready { one.resume() }
        }
    }

    private func apply(_ key: Int, _ body: String) -> HTTPResponse {
        let title = body.firstRange(of: "\"Title\":\"").map {
            String(body[$0.upperBound...].prefix { $0 != "\"" })
        }
        return state.guarded { state in
            guard let order = state.orders[key], !order.isGone else {
                return Self.answer("HTTP/1.1 404 Not Found\r\n\r\n")
            }
            guard body.contains("If-Match: \"\(order.version)\"") else {
                state.conflictCount += 1
                return Self.answer("HTTP/1.1 412 Precondition Failed\r\n\r\n")
            }
            state.orders[key]?.title = title ?? ""
            state.orders[key]?.version += 1
            state.orders[key]?.appliedCount += 1
            return Self.answer(
                "HTTP/1.1 204 No Content\r\nETag: \"\(order.version + 1)\"\r\n\r\n"
            )
        }
    }

    private static func answer(_ part: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=b"],
            body: Array("--b\r\nContent-Type: application/http\r\n\r\n\(part)\r\n--b--\r\n".utf8)
        )
    }
}
