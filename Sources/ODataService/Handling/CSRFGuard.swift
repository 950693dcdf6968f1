import ODataValues
import ODataAnswers
import ODataHTTP
import Synchronization

/// Demands a token for changes, as gateways do against forged requests: fetched by a reading request, bound to a session cookie.
final class CSRFGuard: Sendable {
    private let sessions = Mutex<[String: String]>([:])
    /// Sessions that are remembered; the oldest knowledge is thrown away whole, clients then fetch anew.
    private static let maximumSessions = 10_000

    /// Refuses a change without the token of its session.
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard !ODataServiceHandler.isReading(request) else { return nil }
        if let session = session(of: request), let token = sessions.guarded({ $0[session] }),
            request.headers["X-CSRF-Token"] == token
        {
            return nil
        }
        return ServiceError(
            403,
            "CSRF token validation failed",
            headers: ["X-CSRF-Token": "Required"]
        ).response()
    }

    /// Gives a token to a reading request that fetches one.
    func addToken(to response: inout HTTPResponse, for request: HTTPRequest) {
        guard ODataServiceHandler.isReading(request),
            request.headers["X-CSRF-Token"]?.lowercased() == "fetch"
        else { return }
        let known = session(of: request)
        let session = known ?? Self.random()
        response.headers["X-CSRF-Token"] = sessions.guarded { sessions in
            if let token = sessions[session] { return token }
            if sessions.count >= Self.maximumSessions { sessions = [:] }
            let token = Self.random()
            sessions[session] = token
            return token
        }
        if known == nil {
            response.headers.add("Set-Cookie", "session=\(session); Path=/; HttpOnly")
        }
    }

    private func session(of request: HTTPRequest) -> String? {
        for field in request.headers.values(of: "Cookie") {
            for cookie in field.split(separator: ";") {
                let text = cookie.drop { $0 == " " }
                if text.hasPrefix("session=") { return String(text.dropFirst("session=".count)) }
            }
        }
        return nil
    }

    private static func random() -> String {
        String(UInt128.random(in: .min ... .max), radix: 16)
    }
}
