package import StoreUpload
import StoreRecords
import ODataClient
import ODataPayload
package import ODataHTTP
import ODataTables

/// What became of one request that was sent.
package struct Outcome: Sendable {
    var request: OutgoingRequest
    var kind: Kind
    /// The error that came in the place of an answer, where the request is lost or was not looked at.
    var failure: HTTPResponse?
    /// Whether the request was not sent at all: a read before it has shown that it would meet a conflict.
    var isUnsent = false
    /// Whether the service does not recognise a repetition: sending it once more would bring nothing.
    var isUnrecognised = false
    /// Whether the service has refused the request only since another member of its change set was refused.
    var isBlameless = false
    /// The service's version of the entity, read after a conflict.
    var server: (body: EntityBody, etag: String?)?
    /// The created entity as the service shows it, read if the answer did not return its key.
    var identity: EntityBody?
    /// The entity that a read has shown to be as the request would make it.
    var shown: (body: EntityBody, etag: String?)?
    /// The service's content of a stream, read after a conflict.
    var serverStream: ServerStream.Found?
    /// The ETag with which the request is to be sent again.
    var renewed: RenewedETag?
    /// What a person can do about a refusal.
    var note: String?

    /// How the answer is to be understood.
    package enum Kind: Sendable {
        case done(HTTPResponse)
        case refused(HTTPResponse)
        /// An update of an entity that the service has no more; it may have created it anew.
        case gone(HTTPResponse)
        /// Surely not carried out: it waits on, under its old identity or as if it had never been sent.
        case notProcessed(isForgotten: Bool)
        /// Failed with another request that it depended on (424).
        case parked
        /// Unknown: determined by the next upload.
        case lost
    }

    /// Why the request is parked.
    var parkingReason: UnsendableRequest {
        let message =
            isBlameless
            ? "another request of its transaction was refused"
            : "the service left it out, since another request failed; the next upload tries again"
        return UnsendableRequest(
            request: request.entry.id,
            message: note ?? message,
            code: UnsendableRequest.failedDependency
        )
    }

    var isDone: Bool {
        if case .done = kind { true } else { false }
    }

    /// Whether the request was carried out or refused for good.
    var isSettled: Bool {
        switch kind {
        case .done, .refused, .gone: true
        case .notProcessed, .parked, .lost: false
        }
    }

    var isLost: Bool {
        if case .lost = kind { true } else { false }
    }

    /// Whether the service has accepted the request without a monitor to ask: it may carry it out at any time.
    var isAccepted: Bool { isLost && failure?.status == 202 }

    /// The answer, where there is one.
    var response: HTTPResponse? {
        switch kind {
        case .done(let response), .refused(let response), .gone(let response): response
        case .notProcessed, .parked, .lost: nil
        }
    }

    /// Understands an answer (RFC 9110 § 15; OData 4.01 Part 1 § 9; Repeatable Requests 1.0 § 5).
    ///
    /// A status of the 400s promises that nothing happened, one of the 500s does not: without the service's own error in it, it may
    /// come from a gateway after the change was made.
    ///
    /// - Parameters:
    ///   - isAlone: Whether the request was sent by itself, and not with others that failed with it.
    ///   - isRepetition: Whether it had been sent before under the same identity.
    package init(
        _ request: OutgoingRequest,
        response: HTTPResponse,
        isAlone: Bool = true,
        isRepetition: Bool = false
    ) {
        self.request = request
        if response.headers["Repeatability-Result"]?.lowercased() == "rejected",
            [400, 412, 501].contains(response.status)
        {
            kind = isRepetition ? .lost : .notProcessed(isForgotten: true)
            isUnrecognised = isRepetition
            failure = response
            return
        }
        kind = Self.kind(request.entry, response: response, isAlone: isAlone)
        // A failure of the repetition says nothing about the first sending, which may have been carried out.
        if isRepetition, response.status == 500, !isRepeatabilityShown { kind = .lost }
        if isLost { failure = response }
    }

    private static func kind(_ entry: QueueEntry, response: HTTPResponse, isAlone: Bool) -> Kind {
        let isOnEntity = !entry.url.contains("/$ref")
        let isUpdate =
            ["PATCH", "PUT"].contains(entry.method) && isOnEntity && !entry.isOnStream
            && !entry.flags.contains(.upsert)
        switch response.status {
        // Only who asks for it is answered later (OData 4.01 Part 1 § 11.6): an operation that needs no answer has begun.
        case 202 where entry.flags.contains(.operation): return .done(response)
        // Accepted, without a status monitor: completion is unknown (RFC 9110 § 15.3.3).
        case 202: return .lost
        case 201 where isUpdate && isAlone: return .gone(response)
        case 200..<300: return .done(response)
        // For a link it may mean that the service has no such path.
        case 404 where entry.method == "DELETE" && isAlone && isOnEntity,
            410 where entry.method == "DELETE" && isAlone:
            return .done(response)
        case 404 where isUpdate && isAlone, 410 where isUpdate && isAlone: return .gone(response)
        case 401, 407, 408, 425, 429, 301, 302, 307, 308:
            return .notProcessed(isForgotten: false)
        case 403 where response.isTokenWanted: return .notProcessed(isForgotten: false)
        // "Unable to handle the request", and when to come again (RFC 9110 §§ 15.6.4, 10.2.3); a gateway that has passed the request
        // on and got no answer says 502 or 504.
        case 503 where response.saysWhenToRetry: return .notProcessed(isForgotten: false)
        case 424: return .parked
        case 400..<500: return .refused(response)
        case 500... where !response.leavesOutcomeOpen: return .refused(response)
        default: return .lost
        }
    }

    init(_ request: OutgoingRequest, kind: Kind) {
        self.request = request
        self.kind = kind
    }
}

extension HTTPResponse {
    /// Whether it says when the request may be sent again.
    package var saysWhenToRetry: Bool { headers["Retry-After"] != nil }

    /// Whether a change that is answered so may have been carried out: a gateway had no answer, or the service broke down over it.
    package var leavesOutcomeOpen: Bool {
        switch status {
        case 503: !saysWhenToRetry
        case 500, 501: ODataErrorBody(reading: body.span) == nil
        default: status >= 500
        }
    }
}

extension QueueEntry {
    /// Whether the request is about a stream, not about the values of an entity.
    var isOnStream: Bool { streamProperty != nil }
}
