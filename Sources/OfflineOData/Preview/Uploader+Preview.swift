import OfflineSync
import OfflineValues
import StoreRecords
import ODataClient
import ODataValues
import StoreUpload
import ODataHTTP
import OfflineStore
import Synchronization

/// The rounds that an upload would send, chosen as it chooses them.
struct PlannedUpload: Sendable {
    var rounds: [UploadRound] = []
    var refused: [OfflineODataFailedRequest] = []
    var waiting: [OfflineODataUploadPreview.Waiting] = []
    var unsettled: [Int64] = []
}

extension Uploader {
    /// Returns what an upload that goes by a plan would send before the first answer comes.
    func preview(of plan: PlannedUpload) async throws -> OfflineODataUploadPreview {
        var requests: [OfflineODataUploadPreview.Request] = []
        for round in plan.rounds {
            // What goes singly is one message for each unit.
            let parts =
                round.isBatch
                ? [round]
                : round.units.map { UploadRound(units: [$0], isBatch: false, isHeldBack: false) }
            for part in parts { requests.append(try await request(of: part)) }
        }
        return OfflineODataUploadPreview(
            requests: requests,
            waiting: plan.waiting,
            unsettledIDs: plan.unsettled,
            refused: plan.refused
        )
    }

    /// Chooses rounds until nothing is left that can be sent without an answer, and takes that back.
    func planned(_ categories: Set<String>?) async throws -> PlannedUpload {
        let choice = try await course(of: categories).choice(isHeldBack: false)
        return try await store.file.writeAndRollBack { [store] connection in
            let (queue, schema) = (RequestQueue(connection), try store.schema(connection))
            var plan = PlannedUpload()
            plan.unsettled = try queue.ids([.sending])
            try queue.unpark()
            while true {
                let chosen = try choice.next(connection, schema: schema)
                plan.refused += chosen.refused
                guard let round = chosen.round else { break }
                plan.rounds.append(round)
            }
            plan.waiting = try queue.entries([.pending, .parked]).map {
                OfflineODataUploadPreview.Waiting(id: $0.id, waitsFor: $0.dependsOn)
            }
            return plan
        }
    }

    /// Sends a round to nowhere, and returns the message that would have left.
    private func request(of round: UploadRound) async throws -> OfflineODataUploadPreview.Request {
        let capture = CapturingTransport()
        let sender = RoundSender(
            store: store,
            client: client.rehearsing(by: capture),
            settings: settings.withoutBackground,
            budget: RetryBudget(.never, log: Log(nil))
        )
        var open = round
        open.encoded = nil
        for unit in open.units.indices { open.units[unit].removeCredentials() }
        do {
            _ = try await sender.send(open)
        } catch is HTTPTransportError {}
        guard var message = capture.message else {
            throw OfflineODataError(.internal, "the round made no request")
        }
        message.headers = OfflineODataCredentialFields.removed(from: message.headers)
        message.url = OfflineODataCredentialFields.removed(from: message.url)
        return OfflineODataUploadPreview.Request(
            message: message,
            requestIDs: round.requestIDs,
            isBatch: round.isBatch,
            readsETagsFirst: round.hasStaleETag
        )
    }
}

/// Takes the request instead of sending it.
private final class CapturingTransport: HTTPTransport {
    private let taken = Mutex<HTTPRequest?>(nil)

    var message: HTTPRequest? { taken.guarded { $0 } }

    var sendsStreamedBodies: Bool { true }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        taken.guarded { $0 = request }
        throw HTTPTransportError(.notConnected, "nothing is sent")
    }
}

extension OutgoingUnit {
    /// Removes the credentials from header fields of requests.
    fileprivate mutating func removeCredentials() {
        for index in requests.indices {
            requests[index].headers = OfflineODataCredentialFields.removed(
                from: requests[index].headers
            )
        }
    }
}

extension UploadSettings {
    fileprivate var withoutBackground: UploadSettings {
        var settings = self
        settings.background = nil
        return settings
    }
}
