import ODataValues
import ODataHTTP
import Synchronization

/// The way to the legal service: the only place where its messages meet those of this package.
///
/// It loses what it is told to lose, and refuses to carry more requests than any synchronisation can need.
final class LegalTransport: HTTPTransport {
    /// Requests of one operation, at most: more means that it does not end.
    static let mostRequests = 600

    private struct State {
        var service: LegalService
        var fault: LegalFault?
        var place = 0
        /// What the URLs of the requests contain that are counted up to the fault.
        var part = ""
        var partCount = 0
        var count = 0
        var isDead = false
        var isEndless = false
        var slept: Duration = .zero
        var act: @Sendable (LegalFault) -> Void = { _ in }
        var log: [String] = []
    }

    private let state: Mutex<State>

    init(_ traits: Set<LegalTrait>) { state = Mutex(State(service: LegalService(traits))) }

    /// Looks at the service, or changes it past the client.
    func with<R: Sendable>(_ body: (inout LegalService) throws -> sending R) rethrows -> R {
        try state.guarded { try body(&$0.service) }
    }

    /// Begins an operation of which one request meets a fault.
    ///
    /// - Parameter part: What the URLs of the requests contain that are counted.
    func begin(
        _ fault: LegalFault?,
        at place: Int,
        of part: String = "",
        act: @escaping @Sendable (LegalFault) -> Void
    ) {
        state.guarded {
            ($0.fault, $0.place, $0.count, $0.isDead) = (fault, place, 0, false)
            ($0.part, $0.partCount) = (part, 0)
            ($0.slept, $0.log, $0.act) = (.zero, [], act)
        }
    }

    /// Ends an operation; answers whether it went on for ever.
    func end() -> Bool {
        state.guarded {
            ($0.fault, $0.isDead) = (nil, false)
            // It holds the provider, which holds this.
            $0.act = { _ in }
            return $0.isEndless || $0.slept > .seconds(7200)
        }
    }

    /// The requests of the operation, as lines.
    var log: [String] { state.guarded { $0.log } }

    /// Lets virtual time pass.
    func sleep(_ time: Duration) { state.guarded { $0.slept += time } }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        try Task.checkCancellation()
        var request = request
        if let streamed = request.streamedBody {
            request.body = try await streamed.pieces().collect(upTo: 1 << 20)
        }
        let (fault, act) = try admitted(request)
        if let fault, let early = try before(fault, act) { return early }
        let answer = state.guarded { state in
            let answer = state.service.answer(LegalRequest(request))
            state.log.append("    -> \(answer.status) \(Self.short(answer.body))")
            return answer
        }
        if let fault { return try after(fault, act, answer) }
        return HTTPStreamingResponse(answer)
    }

    private func admitted(_ request: HTTPRequest) throws
        -> (LegalFault?, @Sendable (LegalFault) -> Void)
    {
        try state.guarded { state in
            state.count += 1
            let isCounted = state.part.isEmpty || request.url.contains(state.part)
            if isCounted { state.partCount += 1 }
            let fault = isCounted && state.partCount == state.place + 1 ? state.fault : nil
            state.log.append(
                "    \(request.method) \(request.url) \(request.headers["If-Match"] ?? "") \(Self.short(request.body)) \(fault.map { "[\($0)]" } ?? "")"
            )
            if state.count > Self.mostRequests { state.isEndless = true }
            guard !state.isDead, !state.isEndless else {
                throw HTTPTransportError(.notConnected, "no more requests")
            }
            return (fault, state.act)
        }
    }

    private static func short(_ body: [UInt8]) -> String {
        String(decoding: body.prefix(4_000), as: UTF8.self).replacing("\r\n", with: "|")
            .replacing("\n", with: "|")
    }

    private func before(_ fault: LegalFault, _ act: (LegalFault) -> Void) throws
        -> HTTPStreamingResponse?
    {
        switch fault {
        case .lostBefore: throw HTTPTransportError(.notConnected, "refused")
        case .busy: return HTTPStreamingResponse(LegalAnswer(429))
        case .unavailable: return HTTPStreamingResponse(LegalAnswer(503))
        case .failedBefore:
            return HTTPStreamingResponse(LegalAnswer(500, text: "<html/>", type: "text/html"))
        case .unauthorized: return HTTPStreamingResponse(LegalAnswer(401))
        case .cancelBefore: act(fault)
        case .killBefore:
            // What is sent after the copy was made would be nobody's.
            state.guarded { $0.isDead = true }
            act(fault)
            throw HTTPTransportError(.notConnected, "killed")
        default: break
        }
        return nil
    }

    private func after(_ fault: LegalFault, _ act: (LegalFault) -> Void, _ answer: LegalAnswer)
        throws -> HTTPStreamingResponse
    {
        var answer = answer
        switch fault {
        case .lostAfter: throw HTTPTransportError(.connectionLost, "lost")
        case .cutEarly: return cut(answer, 30)
        case .cutLate: return cut(answer, max(1, answer.body.count - 20))
        // Nobody can tell what a stream should have been.
        case .garbage where answer["Content-Type"]?.hasPrefix("text/plain") == true:
            return cut(answer, 2)
        case .garbage: answer.body = Array("<!>\u{0}".utf8)
        case .failedAfter: answer = LegalAnswer(500)
        case .gatewayAfter: answer = LegalAnswer(504)
        case .errorPageAfter: answer = LegalAnswer(500, text: "<html/>", type: "text/html")
        case .cancelAfter: act(fault)
        case .killAfter:
            // What is sent after the copy was made would be nobody's.
            state.guarded { $0.isDead = true }
            act(fault)
            throw HTTPTransportError(.connectionLost, "killed")
        default: break
        }
        return HTTPStreamingResponse(answer)
    }

    private func cut(_ answer: LegalAnswer, _ count: Int) -> HTTPStreamingResponse {
        var response = HTTPStreamingResponse(answer)
        let pieces = Mutex<[UInt8]?>(Array(answer.body.prefix(count)))
        response.body = HTTPBody {
            let piece = pieces.guarded { pieces in
                defer { pieces = nil }
                return pieces
            }
            guard let piece else { throw HTTPTransportError(.connectionLost, "cut") }
            return piece
        }
        return response
    }
}

extension LegalRequest {
    init(_ request: HTTPRequest) {
        var headers: [String: String] = [:]
        for field in request.headers.fields { headers[field.name.lowercased()] = field.value }
        self.init(
            method: request.method,
            target: request.url,
            headers: headers,
            body: request.body
        )
    }
}

extension HTTPStreamingResponse {
    init(_ answer: LegalAnswer) {
        var headers = HTTPHeaders()
        for field in answer.headers { headers.add(field.name, field.value) }
        self.init(status: answer.status, headers: headers, body: HTTPBody(answer.body))
    }
}
