import ODataPayload
import ODataHTTP
import OfflineOData

/// A change of a resource with `noCache`: it goes to the service past the store, so that nothing of it is written to disk.
struct DirectChange: Sendable {
    enum Kind: String, Sendable {
        case create = "POST"
        case update = "PATCH"
        case delete = "DELETE"
    }

    let kind: Kind
    /// The set for a creation, else the entity.
    let url: String
    let entity: EntityValue
    /// Whether another version of the service's is overwritten (``ConflictResolutionPolicy/clientWins``).
    var overwrites = false

    /// Sends the change.
    ///
    /// - Throws: ``OfflineODataError`` where the service refuses it, but for conflicts, or cannot be reached.
    func send(_ router: ReadRouter) async throws -> ResourceChange {
        let response = try await router.send(request)
        if PolicyEngine.conflicting.contains(response.status), kind != .create {
            return ResourceChange(entity: entity, state: .conflict)
        }
        guard response.isSuccess else {
            let message = ODataErrorBody(reading: response.body.span)?.message ?? "no message"
            throw OfflineODataError(
                .server,
                "the service answered \(response.status): \(message)",
                httpStatus: response.status
            )
        }
        return ResourceChange(entity: kind == .delete ? nil : answered(response), state: .sent)
    }

    private var request: HTTPRequest {
        var request = HTTPRequest(method: kind.rawValue, url: url)
        if kind != .create { request.headers["If-Match"] = overwrites ? "*" : entity.etag ?? "*" }
        guard kind != .delete else { return request }
        request.headers["Content-Type"] = "application/json"
        let sent = entity.members.filter { !$0.name.hasPrefix("@") || $0.name == "@odata.type" }
        request.body = Array(ODataValue.object(sent).json.utf8)
        return request
    }

    /// The entity as the service answers it, or as it was sent.
    private func answered(_ response: HTTPResponse) -> EntityValue {
        guard
            case .object(let members)? = ODataValue(
                json: String(decoding: response.body, as: UTF8.self)
            )
        else { return entity }
        var answered = EntityValue(entitySet: entity.entitySet)
        for member in members where member.name != "@odata.context" {
            answered[member.name] = member.value
        }
        return answered
    }
}
