import ODataText
public import OfflineValues
import ODataValues
public import ODataHTTP
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers requests from a recording (HAR 1.2): each by what its method, path and query were answered then, one after the other.
///
/// A read that is asked more often than it was recorded is answered as the last time; a change is not: an answer that was given
/// once is given once. URLs of the recorded service in the answers lead to this one.
public final class OfflineODataReplay: HTTPHandler {
    private struct Answer: Sendable {
        var response: HTTPResponse
        /// Origin of the recorded service, `https://host:port`.
        var origin: String
    }

    /// What waits to be given, by method, path and query.
    private let answers: Mutex<[String: [Answer]]>
    /// How many requests the recording has answers to.
    public let count: Int

    /// Reads a recording.
    ///
    /// - Throws: ``OfflineODataError`` (invalid input) where the text is no HAR.
    public init(har: [UInt8]) throws(OfflineODataError) {
        // A reader ignores a byte-order mark (HAR 1.2, "log").
        let text = har[ByteOrderMark.count(aheadOf: har)...]
        let log = ODataValue(json: String(decoding: text, as: UTF8.self))?[member: "log"]
        guard case .collection(let entries)? = log?[member: "entries"] else {
            throw OfflineODataError(
                .invalidInput,
                "this is no recording: HAR 1.2 has an object log with an array entries",
                code: .invalidPayload
            )
        }
        var answers: [String: [Answer]] = [:]
        for (index, entry) in entries.enumerated() {
            guard let (key, answer) = Self.answer(entry) else {
                throw OfflineODataError(
                    .invalidInput,
                    "entry \(index) of the recording has no method, URL or response",
                    code: .invalidPayload
                )
            }
            answers[key, default: []].append(answer)
        }
        count = entries.count
        self.answers = Mutex(answers)
    }

    /// Returns what the request was answered in the recording; 501 where it was not asked then.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let key = Self.key(request.method, url: request.url)
        let isRead = ["GET", "HEAD", "OPTIONS"].contains(request.method)
        let found = answers.guarded { answers -> Answer? in
            guard let list = answers[key], let first = list.first else { return nil }
            if list.count > 1 || !isRead { answers[key] = Array(list.dropFirst()) }
            return first
        }
        guard let found else { return Self.unknown(request) }
        let host = request.headers["Host"] ?? "localhost"
        return Self.moved(found.response, from: found.origin, to: "http://" + host)
    }

    private static func unknown(_ request: HTTPRequest) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.beginObject()
        writer.name("code")
        writer.string("NotRecorded")
        writer.name("message")
        writer.string(
            "the recording has no (further) answer to \(request.method) \(target(request.url))"
        )
        writer.endObject()
        writer.endObject()
        return HTTPResponse(
            status: 501,
            headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
            body: writer.bytes
        )
    }

    // MARK: Addresses

    private static func key(_ method: String, url: String) -> String {
        let target = target(OfflineODataCredentialFields.removed(from: url))
        return method + " " + PercentEncoding.decoded(target)
    }

    /// Path and query of a URL.
    private static func target(_ url: String) -> String {
        let isRelative = URLReference.origin(of: url).isEmpty
        let target = isRelative ? url[...] : URLReference.path(of: url)
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// The origin as it is written, since bodies hold it so: capitals and a usual port stay.
    private static func origin(_ url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
        return String(url[..<start]) + url[start...].prefix { $0 != "/" && $0 != "?" }
    }

    /// The answer with URLs that lead here; what is no text stays as it is.
    private static func moved(_ response: HTTPResponse, from origin: String, to other: String)
        -> HTTPResponse
    {
        guard !origin.isEmpty else { return response }
        let fields = response.headers.fields.map {
            HTTPHeaders.Field(name: $0.name, value: $0.value.replacing(origin, with: other))
        }
        let text = String(validating: response.body, as: UTF8.self)
        return HTTPResponse(
            status: response.status,
            headers: HTTPHeaders(fields),
            body: text.map { Array($0.replacing(origin, with: other).utf8) } ?? response.body
        )
    }

    // MARK: Reading

    /// Fields about the transfer of the bytes, which does not apply to a replay.
    private static let wireFields: Set<String> = [
        "content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive",
        "date",
    ]

    private static func answer(_ entry: ODataValue) -> (key: String, answer: Answer)? {
        guard let request = entry[member: "request"], let response = entry[member: "response"],
            let method = request[member: "method"]?.stringValue,
            let url = request[member: "url"]?.stringValue,
            case .integer(let status)? = response[member: "status"]
        else { return nil }
        var headers = HTTPHeaders()
        if case .collection(let fields)? = response[member: "headers"] {
            for field in fields {
                guard let name = field[member: "name"]?.stringValue,
                    let value = field[member: "value"]?.stringValue,
                    !wireFields.contains(name.lowercased())
                else { continue }
                headers.add(name, value)
            }
        }
        // A request that was never answered: gateways say so with 504.
        let answered = HTTPResponse(
            status: status == 0 ? 504 : Int(status),
            headers: headers,
            body: body(response[member: "content"])
        )
        return (key(method, url: url), Answer(response: answered, origin: origin(url)))
    }

    private static func body(_ content: ODataValue?) -> [UInt8] {
        guard let text = content?[member: "text"]?.stringValue else { return [] }
        guard content?[member: "encoding"]?.stringValue == "base64" else { return Array(text.utf8) }
        return Data(base64Encoded: text).map { Array($0) } ?? []
    }
}
