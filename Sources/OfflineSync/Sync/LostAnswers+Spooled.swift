import OfflineValues
import StoreRecords
import StoreUpload
import ODataHTTP
import OfflineStore

/// Answers that have come, and that the process before did not carry into the store.
extension LostAnswers {
    /// Carries them into the store; nothing is asked for again.
    func settleSpooled(_ result: inout OfflineODataUploadResult) async throws {
        let items = try await store.file.write { try UploadSpool($0).items() }
        guard !items.isEmpty else { return }
        let sent = try await sentUnits()
        for item in items where !item.answers.isEmpty {
            let units = sent.compactMap { $0.asSent(under: item.contentIDs) }.sorted {
                $0.firstContentID < $1.firstContentID
            }
            try await settle(item, units: units, into: &result)
            try await store.file.write { try UploadSpool($0).remove(item.id) }
        }
    }

    private func settle(
        _ item: UploadSpool.Item,
        units: [OutgoingUnit],
        into result: inout OfflineODataUploadResult
    ) async throws {
        // Where the requests are no more what was sent, the answer says nothing of them.
        guard !units.isEmpty else { return }
        guard item.form == .each else {
            guard let response = item.answer.flatMap({ try? HTTPResponse(message: $0) }) else {
                return
            }
            return try await record(
                response,
                to: units,
                isBatch: item.form == .batch,
                into: &result
            )
        }
        let outcomes = units.flatMap(\.requests).compactMap { request -> Outcome? in
            item.answers[request.entry.id].flatMap { try? HTTPResponse(message: $0) }
                .map { Outcome(request, kind: .done($0)) }
        }
        guard outcomes.count == item.contentIDs.count else { return }
        try await recording.record([UnitAnswer(outcomes, answers: [])], into: &result)
    }
}

extension UploadSpool.Item {
    /// The answers of a round whose requests were all carried out.
    static func items(of answers: [UnitAnswer]) -> [UploadSpool.Item] {
        answers.compactMap { answer in
            let answered = answer.outcomes.compactMap { outcome in
                outcome.response.map { (outcome.request, $0.message) }
            }
            guard !answered.isEmpty, answered.count == answer.outcomes.count else { return nil }
            return UploadSpool.Item(
                form: .each,
                contentIDs: Dictionary(
                    answered.map { ($0.0.entry.id, $0.0.contentID) },
                    uniquingKeysWith: { first, _ in first }
                ),
                answers: Dictionary(
                    answered.map { ($0.0.entry.id, $0.1) },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        }
    }
}

extension HTTPResponse {
    /// The answer as a message, which `init(message:)` reads (RFC 9112 § 2.1).
    var message: [UInt8] {
        var head = "HTTP/1.1 \(status) \r\n"
        for field in headers.fields where field.name.lowercased() != "content-length" {
            head += "\(field.name): \(field.value)\r\n"
        }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}

extension OutgoingUnit {
    var firstContentID: Int { requests.first?.contentID ?? 0 }

    /// The unit under the Content-IDs that it was sent with; nil where one of its requests has none.
    func asSent(under contentIDs: [Int64: Int]) -> OutgoingUnit? {
        var unit = self
        for index in requests.indices {
            guard let id = contentIDs[requests[index].entry.id] else { return nil }
            unit.requests[index].contentID = id
        }
        return unit
    }
}
