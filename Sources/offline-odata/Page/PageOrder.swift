import CommandSupport
import ODataProtocol
import OfflineOData

/// What the body of an action says.
struct PageOrder: Sendable {
    /// Number of a request of the queue or the archive.
    var id: Int64?
    /// Number of the request that it is moved to.
    var before: Int64?
    /// The same, for a place behind it.
    var after: Int64?
    /// A new body, as JSON text.
    var body: String?
    /// URL of an entity, relative to the service root.
    var url: String?
    /// `local`, `server` or `merge`.
    var side: String?
    /// `upload`, `download` or `sync`.
    var operation: String?
    /// Whether a request may be changed although its outcome is not known.
    var evenIfUnknown: Bool?

    /// Reads the body of a request.
    ///
    /// - Throws: ``CommandFailure`` (invalid). A form of another site cannot send this media type, so it must be there.
    init(_ request: HTTPRequest) throws(CommandFailure) {
        let type = request.headers["Content-Type"].flatMap { MediaType($0) }
        guard let type, type.type == "application", type.subtype == "json" else {
            throw CommandFailure(.invalid, "the Content-Type of an action must be application/json")
        }
        guard let value = ODataValue(json: String(decoding: request.body, as: UTF8.self)),
            case .object(let members) = value
        else { throw Self.notUnderstood }
        for (name, value) in members { try set(name, to: value) }
    }

    private static let notUnderstood = CommandFailure(
        .invalid,
        "the body must be a JSON object such as {\"id\": 1}"
    )

    /// Takes a member of the body; unknown ones are passed over.
    private mutating func set(_ name: String, to value: ODataValue) throws(CommandFailure) {
        switch name {
        case "id": id = try Self.number(value)
        case "before": before = try Self.number(value)
        case "after": after = try Self.number(value)
        case "body": body = try Self.text(value)
        case "url": url = try Self.text(value)
        case "side": side = try Self.text(value)
        case "operation": operation = try Self.text(value)
        case "evenIfUnknown": evenIfUnknown = try Self.flag(value)
        default: break
        }
    }

    private static func number(_ value: ODataValue) throws(CommandFailure) -> Int64? {
        switch value {
        case .null: return nil
        case .integer(let number): return number
        default: throw notUnderstood
        }
    }

    private static func text(_ value: ODataValue) throws(CommandFailure) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text
        default: throw notUnderstood
        }
    }

    private static func flag(_ value: ODataValue) throws(CommandFailure) -> Bool? {
        switch value {
        case .null: return nil
        case .boolean(let flag): return flag
        default: throw notUnderstood
        }
    }

    /// The number of the request that the action is about.
    func requestID() throws(CommandFailure) -> Int64 {
        guard let id else {
            throw CommandFailure(.invalid, "'id' is missing: give the request's number")
        }
        return id
    }

    /// The new body.
    func newBody() throws(CommandFailure) -> String {
        guard let body, !body.isEmpty else {
            throw CommandFailure(.invalid, "'body' is missing: give the new body as JSON text")
        }
        return body
    }
}
