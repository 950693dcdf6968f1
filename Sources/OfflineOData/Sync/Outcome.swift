import ODataProtocol
import OfflineStore

/// What became of one request that was sent.
struct Outcome: Sendable {
    var request: OutgoingRequest
    var kind: Kind

    /// How the answer is to be understood.
    enum Kind: Sendable {
        case done(HTTPResponse)
        case refused(HTTPResponse)
        /// Surely not carried out: it waits on.
        case notProcessed
        /// Failed with another request that it depended on (424).
        case parked
        /// Nobody knows: settled at the next occasion.
        case lost
    }

    var isDone: Bool {
        if case .done = kind { true } else { false }
    }

    /// Understands an answer (RFC 9110 § 15; OData 4.01 Part 1 § 9).
    ///
    /// A status of the 400s promises that nothing happened, one of the 500s does not: without the service's own error in it, it may
    /// come from a gateway after the change was made.
    init(_ request: OutgoingRequest, _ response: HTTPResponse) {
        self.request = request
        let isTold = ODataErrorBody(reading: response.body.span) != nil
        kind =
            switch response.status {
            case 200..<300: .done(response)
            case 404 where request.entry.method == "DELETE",
                410 where request.entry.method == "DELETE":
                .done(response)
            case 401, 407, 408, 425, 429: .notProcessed
            case 424: .parked
            case 400..<500: .refused(response)
            case 500 where isTold, 501 where isTold: .refused(response)
            default: .lost
            }
    }

    init(_ request: OutgoingRequest, _ kind: Kind) {
        self.request = request
        self.kind = kind
    }
}

/// What became of a unit, and whether the upload must end with it.
struct UnitAnswer: Sendable {
    var outcomes: [Outcome]
    /// Why nothing more is to be sent now.
    var stop: OfflineODataError?

    /// Gathers outcomes; answers that concern the whole conversation end the upload.
    init(_ outcomes: [Outcome], statuses: [Int]) {
        self.outcomes = outcomes
        if statuses.contains(where: { [401, 407].contains($0) }) {
            stop = OfflineODataError(
                .server,
                "the service wants other credentials; nothing was lost, call upload again with them",
                httpStatus: 401
            )
        } else if statuses.contains(where: { [408, 425, 429, 502, 503, 504].contains($0) }) {
            stop = OfflineODataError(
                .communication,
                "the service is busy or not reachable; call upload again later",
                httpStatus: statuses.first { $0 >= 400 }
            )
        }
    }
}

/// The service does not take batches.
struct BatchNotOffered: Error {}

/// The batch as a whole was refused before any request in it was looked at.
struct WholeRefusal: Error {
    let error: OfflineODataError
}
